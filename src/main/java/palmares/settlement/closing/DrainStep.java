package palmares.settlement.closing;

import org.springframework.stereotype.Component;
import palmares.live.journal.Journal;
import palmares.live.journal.Quarantine;
import palmares.period.Population;

/**
 * Moves the rest of the journal from Redis to PostgreSQL.
 *
 * <p>Before: the period is sealed, and the end of its journal may be in Redis only. After: every
 * event that the live board counted is in PostgreSQL, and none is in quarantine; the state is still
 * sealed. If the process dies, the batches that have committed stay, and the next attempt continues
 * behind them. Adopted boards have no journal.
 */
@Component
class DrainStep implements ClosingStep {
  private final Journal journal;
  private final Quarantine quarantine;

  DrainStep(Journal journal, Quarantine quarantine) {
    this.journal = journal;
    this.quarantine = quarantine;
  }

  @Override
  public boolean run(Closing closing) {
    if (closing.board().kind().countsEvents() && !closing.period().state().isFilled()) {
      Population population = closing.period().population();
      closing.progress().step().expect("events", population == null ? null : population.events());
      journal.drain(closing.period(), closing.drained());
      closing.progress().step().reach(quarantine.requireNone(closing.period()));
    }
    return true;
  }
}

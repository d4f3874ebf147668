package palmares.settlement.closing;

import java.util.Objects;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveBoards;
import palmares.live.journal.Journal;
import palmares.live.journal.Quarantine;
import palmares.period.Period;
import palmares.settlement.lines.ClosingLines;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.settlement.reward.Awards;

/**
 * Takes a sealed period to a filled one: its outcome has every line, rank and pending payment, and
 * agrees with the journal.
 */
@Component
class FillStep {
  private final StateSteps stateSteps;
  private final LiveBoards live;
  private final Journal journal;
  private final Quarantine quarantine;
  private final Revisions revisions;
  private final ClosingLines lines;
  private final Awards awards;
  private final LateWriteCheck lateWrites;
  private final OwnTableFilling big;

  FillStep(
      StateSteps stateSteps,
      LiveBoards live,
      Journal journal,
      Quarantine quarantine,
      Revisions revisions,
      ClosingLines lines,
      Awards awards,
      LateWriteCheck lateWrites,
      OwnTableFilling big) {
    this.stateSteps = stateSteps;
    this.live = live;
    this.journal = journal;
    this.quarantine = quarantine;
    this.revisions = revisions;
    this.lines = lines;
    this.awards = awards;
    this.lateWrites = lateWrites;
    this.big = big;
  }

  /** An adopted board has no journal. */
  void drain(Closing closing) {
    if (closing.board().adoption() == null && !closing.period().state().isFilled()) {
      journal.drain(closing.period(), () -> stateSteps.renew(closing));
      quarantine.requireNone(closing.period());
    }
  }

  void fill(Closing closing) {
    if (closing.period().state().isFilled()) {
      return;
    }
    if (closing.board().adoption() == null) {
      requireThere(closing.period());
    }
    lateWrites.look(closing);
    if (big.suits(closing)) {
      big.fill(closing);
    } else {
      stateSteps.fill(closing, () -> write(closing));
    }
  }

  private void requireThere(Period period) {
    long members = Objects.requireNonNull(period.population(), "sealed").members();
    if (members > 0 && !live.exists(period)) {
      throw LiveBoardLost.ours(period);
    }
  }

  private void write(Closing closing) {
    Period period = closing.period();
    // An attempt as a big period may have left an outcome, if a rebuild has fewer members since.
    revisions.forget(period.id(), Revision.FIRST);
    int outcome =
        revisions.begin(
            period, closing.board(), closing.cause().by(), closing.cause().person(), Tables.SHARED);
    lines.write(period, outcome, closing.board());
    awards.award(period, Revision.FIRST, closing.board(), null);
  }
}

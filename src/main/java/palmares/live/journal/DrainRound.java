package palmares.live.journal;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.CannotCreateTransactionException;
import palmares.live.board.JournalBacklog;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.platform.redis.RedisUnavailable;

/** One round past the journals of all open periods, which drains what they hold. */
@Component
class DrainRound {
  private final Periods periods;
  private final Journal journal;
  private final JournalBacklogs backlogs;
  private final JournalFaults faults;

  DrainRound(Periods periods, Journal journal, JournalBacklogs backlogs, JournalFaults faults) {
    this.periods = periods;
    this.journal = journal;
    this.backlogs = backlogs;
    this.faults = faults;
  }

  /**
   * Drains until nothing is left.
   *
   * @param goesOn is asked before each batch
   */
  void run(BooleanSupplier goesOn) {
    boolean more = true;
    while (more) {
      more = false;
      for (JournalBacklog backlog : look()) {
        more |= goesOn.getAsBoolean() && drain(backlog.period());
      }
    }
    faults.report();
  }

  /** The metrics go on when PostgreSQL does not answer: then most of all. */
  private List<JournalBacklog> look() {
    List<Period> open;
    try {
      open = periods.open();
    } catch (DataAccessException e) {
      backlogs.lookAgain();
      throw e;
    }
    faults.compare(open);
    return backlogs.look(open);
  }

  private boolean drain(Period period) {
    try {
      boolean more = journal.drainBatch(period);
      faults.drained(period);
      return more;
    } catch (RedisUnavailable
        | DataAccessResourceFailureException
        | CannotCreateTransactionException e) {
      throw e;
    } catch (RuntimeException e) {
      // A journal that cannot be drained must not keep the others from it.
      faults.notDrained(period, e);
      return false;
    }
  }
}

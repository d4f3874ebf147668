package palmares.journal;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.CannotCreateTransactionException;
import palmares.live.Backlog;
import palmares.live.LiveUnavailable;
import palmares.period.Period;
import palmares.period.Periods;

/** One round past the journals of all open periods, which drains what they hold. */
@Component
class DrainRound {
  private static final Logger LOG = LoggerFactory.getLogger(DrainRound.class);

  private final Periods periods;
  private final Journal journal;
  private final Backlogs backlogs;
  private final JournalFaults faults;
  private boolean outage;

  DrainRound(Periods periods, Journal journal, Backlogs backlogs, JournalFaults faults) {
    this.periods = periods;
    this.journal = journal;
    this.backlogs = backlogs;
    this.faults = faults;
  }

  /**
   * Drains until nothing is left; what goes wrong is logged when it begins and when it is over, and
   * tried again in the next round.
   *
   * @param goesOn is asked before each batch
   */
  void run(BooleanSupplier goesOn) {
    try {
      drainAll(goesOn);
      if (outage) {
        LOG.info("journals are drained again");
      }
      outage = false;
    } catch (RuntimeException e) {
      if (!outage) {
        LOG.error("journals wait in Redis until both servers answer again: {}", e.getMessage());
      }
      outage = true;
    }
  }

  private void drainAll(BooleanSupplier goesOn) {
    boolean more = true;
    while (more) {
      more = false;
      for (Backlog backlog : look()) {
        more |= goesOn.getAsBoolean() && drain(backlog.period());
      }
    }
    faults.report();
  }

  /** The metrics go on when PostgreSQL does not answer: then most of all. */
  private List<Backlog> look() {
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
    } catch (LiveUnavailable
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

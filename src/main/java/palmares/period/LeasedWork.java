package palmares.period;

import java.util.function.BiFunction;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.nodes.Nodes;
import palmares.platform.threads.LogContext;

/** Runs work on a period in one transaction, under a lease that it takes for it. */
@Component
public class LeasedWork {
  private final TransactionTemplate transaction;
  private final Leases leases;
  private final Periods periods;
  private final Nodes nodes;

  LeasedWork(TransactionTemplate transaction, Leases leases, Periods periods, Nodes nodes) {
    this.transaction = transaction;
    this.leases = leases;
    this.periods = periods;
    this.nodes = nodes;
  }

  /**
   * Runs the work, and commits it. The work gets the period as read under the lease. If the work
   * throws, the transaction is rolled back.
   *
   * @throws PeriodBusy if another process works on the period
   */
  public <T> T run(PeriodId id, BiFunction<Lease, Period, T> work) {
    Lease lease =
        leases.take(id, Lease.THIS_PROCESS).orElseThrow(() -> new PeriodBusy(periods.get(id)));
    T result;
    try (LogContext context = LogContext.of(LogContext.NODE, nodes.name())) {
      result =
          transaction.execute(
              status -> {
                leases.hold(lease);
                Period period = periods.get(id);
                context.and(LogContext.BOARD, period.board()).and(LogContext.PERIOD, period.name());
                return work.apply(lease, period);
              });
    } catch (RuntimeException | Error e) {
      releaseAfter(e, lease);
      throw e;
    }
    leases.release(lease);
    return result;
  }

  /** In the transaction of a caller that is aborted, the release fails too. */
  private void releaseAfter(Throwable failure, Lease lease) {
    try {
      leases.release(lease);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}

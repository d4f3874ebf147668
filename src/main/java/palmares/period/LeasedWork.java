package palmares.period;

import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Work on a period in one transaction, while nobody else may work on it. */
@Component
public class LeasedWork {
  private final TransactionTemplate transaction;
  private final Leases leases;
  private final Periods periods;

  LeasedWork(TransactionTemplate transaction, Leases leases, Periods periods) {
    this.transaction = transaction;
    this.leases = leases;
    this.periods = periods;
  }

  /**
   * Does the work on the period as its row stands once nobody else can change it. What the work
   * throws undoes it.
   *
   * @throws PeriodBusy if somebody else works on it
   */
  public <T> T run(PeriodId id, BiFunction<Lease, Period, T> work) {
    return run(id, work, status -> {});
  }

  /**
   * As {@link #run}, but takes back all that the work did.
   *
   * @throws PeriodBusy if somebody else works on it
   */
  public <T> T suppose(PeriodId id, BiFunction<Lease, Period, T> work) {
    return run(id, work, TransactionStatus::setRollbackOnly);
  }

  private <T> T run(
      PeriodId id, BiFunction<Lease, Period, T> work, Consumer<TransactionStatus> first) {
    Lease lease =
        leases.take(id, LeaseOwner.NAME).orElseThrow(() -> new PeriodBusy(periods.get(id)));
    try {
      return transaction.execute(
          status -> {
            first.accept(status);
            leases.hold(lease);
            return work.apply(lease, periods.get(id));
          });
    } finally {
      leases.release(lease);
    }
  }
}

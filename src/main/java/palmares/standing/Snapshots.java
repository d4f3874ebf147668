package palmares.standing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.board.Board;
import palmares.board.Holding;
import palmares.bulk.Abreast;
import palmares.live.FrozenBoard;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodId;

/**
 * Copies a frozen board into PostgreSQL in slices of its index range, fixed by the population at
 * the seal. A slice and the row that says it is there commit together, so a restart goes on with
 * those that are not; a few are read and written side by side, and memory holds no more than these.
 */
@Component
public class Snapshots {
  private static final int SLICE = 20_000;

  private final FrozenBoard frozen;
  private final Arrivals arrivals;
  private final SnapshotRows rows;
  private final TransactionTemplate transaction;
  private final Leases leases;

  Snapshots(
      FrozenBoard frozen,
      Arrivals arrivals,
      SnapshotRows rows,
      TransactionTemplate transaction,
      Leases leases) {
    this.frozen = frozen;
    this.arrivals = arrivals;
    this.rows = rows;
    this.transaction = transaction;
    this.leases = leases;
  }

  /**
   * Copies the slices that are not there yet.
   *
   * @param meanwhile is run after each slice
   */
  public void take(Lease lease, Period period, Board board, Runnable meanwhile) {
    long members = Objects.requireNonNull(period.population(), "sealed").members();
    Set<Integer> taken =
        Objects.requireNonNull(
            transaction.execute(
                status -> {
                  leases.share(lease);
                  return rows.begin(period.id(), members);
                }),
            "taken");
    var slices = new ArrayList<Runnable>();
    for (int slice = 0; (long) slice * SLICE < members; slice++) {
      int number = slice;
      if (!taken.contains(number)) {
        slices.add(() -> copy(lease, period, board, number));
      }
    }
    Abreast.run(slices, meanwhile);
  }

  private void copy(Lease lease, Period period, Board board, int slice) {
    List<Holding> lines =
        arrivals.timed(period, board, frozen.slice(period, board, (long) slice * SLICE, SLICE));
    transaction.executeWithoutResult(
        status -> {
          leases.share(lease);
          rows.write(period.id(), slice, lines);
        });
  }

  /** Makes the snapshot whole, in the caller's transaction, once all slices are there. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void finish(PeriodId period) {
    rows.finish(period);
  }

  /** Drops all that was copied, in the caller's transaction; it is to be copied anew. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void drop(PeriodId period) {
    rows.drop(period);
  }
}

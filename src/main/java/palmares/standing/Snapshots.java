package palmares.standing;

import de.bytefish.pgbulkinsert.row.SimpleRow;
import de.bytefish.pgbulkinsert.row.SimpleRowWriter;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.board.Board;
import palmares.board.Holding;
import palmares.bulk.BulkLoad;
import palmares.live.FrozenBoard;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodId;

/**
 * Copies a frozen board into PostgreSQL in slices of its index range, fixed by the population at
 * the seal. A slice and the row that says it is there commit together, so a restart goes on with
 * the next; memory holds one slice.
 */
@Component
public class Snapshots {
  private static final int SLICE = 20_000;
  private static final SimpleRowWriter.Table SNAPSHOT =
      BulkLoad.table(
          "snapshot", "period_id", "member", "points", "reached_at", "then_by", "arrival");

  private final FrozenBoard frozen;
  private final Arrivals arrivals;
  private final BulkLoad bulk;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Leases leases;
  private final Clock clock;

  Snapshots(
      FrozenBoard frozen,
      Arrivals arrivals,
      BulkLoad bulk,
      JdbcClient jdbc,
      TransactionTemplate transaction,
      Leases leases,
      Clock clock) {
    this.frozen = frozen;
    this.arrivals = arrivals;
    this.bulk = bulk;
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.leases = leases;
    this.clock = clock;
  }

  /** Copies the slices that are not there yet. */
  public void take(Lease lease, Period period, Board board) {
    long members = Objects.requireNonNull(period.population(), "sealed").members();
    Set<Integer> taken = taken(period);
    for (int slice = 0; (long) slice * SLICE < members; slice++) {
      if (!taken.contains(slice)) {
        copy(lease, period, board, slice);
      }
    }
  }

  /** Drops all that was copied, in the caller's transaction; it is to be copied anew. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void drop(PeriodId period) {
    jdbc.sql("delete from snapshot where period_id = :period")
        .param("period", period.value())
        .update();
    jdbc.sql("delete from snapshot_slice where period_id = :period")
        .param("period", period.value())
        .update();
  }

  private Set<Integer> taken(Period period) {
    return new HashSet<>(
        jdbc.sql("select slice from snapshot_slice where period_id = :period")
            .param("period", period.id().value())
            .query(Integer.class)
            .list());
  }

  private void copy(Lease lease, Period period, Board board, int slice) {
    List<Holding> lines =
        arrivals.timed(period, board, frozen.slice(period, board, (long) slice * SLICE, SLICE));
    long points = lines.stream().mapToLong(Holding::points).reduce(0, Math::addExact);
    transaction.executeWithoutResult(
        status -> {
          leases.hold(lease);
          long id = period.id().value();
          bulk.into(SNAPSHOT, lines, (row, line) -> write(row, id, line));
          jdbc.sql(
                  """
                  insert into snapshot_slice (period_id, slice, members, points, taken_at)
                  values (:period, :slice, :members, :points, :now)
                  """)
              .param("period", id)
              .param("slice", slice)
              .param("members", lines.size())
              .param("points", points)
              .param("now", clock.instant().atOffset(ZoneOffset.UTC))
              .update();
        });
  }

  private static void write(SimpleRow row, long period, Holding line) {
    row.setLong(0, period);
    row.setText(1, line.member());
    row.setLong(2, line.points());
    Instant reachedAt = line.reachedAt();
    row.setTimeStampTz(3, reachedAt == null ? null : reachedAt.atZone(ZoneOffset.UTC));
    row.setLong(4, line.thenBy());
    row.setLong(5, line.arrival());
  }
}

package palmares.standing;

import de.bytefish.pgbulkinsert.row.SimpleRow;
import de.bytefish.pgbulkinsert.row.SimpleRowWriter;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Holding;
import palmares.bulk.BulkLoad;
import palmares.bulk.OwnTables;
import palmares.period.PeriodId;

/** Where the lines of snapshots are kept, and which slices of a period are there. */
@Component
class SnapshotRows {
  private static final String SHARED = "snapshot";

  private final BulkLoad bulk;
  private final OwnTables own;
  private final JdbcClient jdbc;
  private final Clock clock;

  SnapshotRows(BulkLoad bulk, OwnTables own, JdbcClient jdbc, Clock clock) {
    this.bulk = bulk;
    this.own = own;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** Makes room for so many lines, unless an earlier attempt has, and tells what is there. */
  @Transactional(propagation = Propagation.MANDATORY)
  Set<Integer> begin(PeriodId period, long members) {
    Set<Integer> taken = taken(period);
    if (taken.isEmpty() && own.admits(period.value(), members)) {
      own.begin(SHARED, period.value());
    }
    return taken;
  }

  private Set<Integer> taken(PeriodId period) {
    return new HashSet<>(
        jdbc.sql("select slice from snapshot_slice where period_id = :period")
            .param("period", period.value())
            .query(Integer.class)
            .list());
  }

  /** Writes a slice's lines, and that they are there. */
  @Transactional(propagation = Propagation.MANDATORY)
  void write(PeriodId period, int slice, List<Holding> lines) {
    long points = lines.stream().mapToLong(Holding::points).reduce(0, Math::addExact);
    bulk.into(table(period), lines, (row, line) -> write(row, period.value(), line));
    jdbc.sql(
            """
            insert into snapshot_slice (period_id, slice, members, points, taken_at)
            values (:period, :slice, :members, :points, :now)
            """)
        .param("period", period.value())
        .param("slice", slice)
        .param("members", lines.size())
        .param("points", points)
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .update();
  }

  /** The name of the table that the period's lines are copied to. */
  String tableName(PeriodId period) {
    return own.has(SHARED, period.value()) ? OwnTables.name(SHARED, period.value()) : SHARED;
  }

  private SimpleRowWriter.Table table(PeriodId period) {
    return BulkLoad.table(
        tableName(period), "period_id", "member", "points", "reached_at", "then_by", "arrival");
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

  /** Lets others see what was written. */
  @Transactional(propagation = Propagation.MANDATORY)
  void finish(PeriodId period) {
    if (own.has(SHARED, period.value())) {
      own.join(SHARED, period.value());
    }
  }

  @Transactional(propagation = Propagation.MANDATORY)
  void drop(PeriodId period) {
    own.drop(SHARED, period.value());
    for (String table : List.of(SHARED, "snapshot_slice")) {
      jdbc.sql("delete from %s where period_id = :period".formatted(table))
          .param("period", period.value())
          .update();
    }
  }
}

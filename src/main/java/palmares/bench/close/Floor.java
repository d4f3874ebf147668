package palmares.bench.close;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bench.Measured;
import palmares.bench.Parts;
import palmares.bench.WrongResult;
import palmares.bench.crowd.Ground;
import palmares.bench.crowd.LiveLines;

/**
 * The least that a closing of this size could take on these servers: its parts, each bare and by
 * itself, one after the other.
 *
 * <ul>
 *   <li>Reading: the same ZSET, by ranges, thrown away as it comes.
 *   <li>Standings: the same rows by one COPY, of bytes that lie ready in the server's own binary
 *       format, into a table with the same columns and checks; its two indexes are built after.
 *   <li>Ledger: the same transfers by one {@code INSERT ... SELECT}, and the same entries by
 *       another, into tables with the same columns, checks, keys and indexes.
 * </ul>
 *
 * <p>It holds no decoding, no ranking and no rewards, no copy of the frozen board and no proof of
 * it, no awards, no accounts and balances, no guards of the ledger, no manifest, no lease and no
 * checkpoint. All that a closing takes beyond it is the price of these.
 */
final class Floor {
  private static final int RANGE = 10_000;
  private static final String PREFIX = "floor_";

  private static final String STANDING =
      "period_id, revision, place, rank, member, points, then_by, arrival, reached_at";
  private static final String TRANSFER =
      "period_id, revision, member, rule, purpose, from_account, to_account, amount, posted_at,"
          + " fence";

  private final LiveLines live;
  private final DataSource dataSource;
  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;

  Floor(Parts parts) {
    this.live = new LiveLines(parts);
    this.dataSource = parts.get(DataSource.class);
    this.jdbc = parts.get(JdbcTemplate.class);
    this.transaction = parts.get(TransactionTemplate.class);
  }

  /**
   * Does the work of a closing that is done.
   *
   * @param ground whose live board is still there
   * @param readings is told the seconds of each part, and of all
   * @return what it came to
   * @throws WrongResult if it read other lines than it wrote
   */
  Outcome measure(Ground ground, Readings readings) {
    long period = ground.period().id().value();
    long[] read = {0};
    double reading = seconds(() -> read[0] = live.readAll(ground, RANGE));
    double standings = standings(period);
    double ledger = ledger(period);
    Outcome outcome = Outcome.of(JdbcClient.create(jdbc), PREFIX, period);
    drop();
    readings.note("floor_read_seconds", reading);
    readings.note("floor_standings_seconds", standings);
    readings.note("floor_ledger_seconds", ledger);
    readings.note("floor_seconds", reading + standings + ledger);
    if (read[0] != outcome.lines()) {
      throw new WrongResult(
          "the floor read %d lines of Redis, and wrote %d".formatted(read[0], outcome.lines()));
    }
    return outcome;
  }

  private static double seconds(Measured.Work<RuntimeException> work) {
    return Measured.seconds(Measured.time(work));
  }

  private double standings(long period) {
    jdbc.execute("create table floor_standing (like standing including constraints)");
    String query =
        "select %s from standing where period_id = %d order by place".formatted(STANDING, period);
    try (Connection connection = dataSource.getConnection();
        ReadyRows rows = ReadyRows.of(connection, query)) {
      return Measured.seconds(
          Measured.<SQLException>time(
              () -> {
                rows.copyInto("floor_standing", STANDING);
                index();
              }));
    } catch (SQLException e) {
      throw new IllegalStateException("the floor's COPY", e);
    }
  }

  private void index() {
    transaction.executeWithoutResult(
        status -> {
          jdbc.execute("set local maintenance_work_mem = '256MB'");
          jdbc.execute("alter table floor_standing add primary key (period_id, revision, place)");
          jdbc.execute("alter table floor_standing add unique (period_id, revision, member)");
        });
  }

  private double ledger(long period) {
    jdbc.execute("create table floor_transfer (like transfer including all)");
    jdbc.execute("create table floor_entry (like entry including all)");
    return seconds(
        () -> {
          jdbc.update(
              "insert into floor_transfer (%1$s) select %1$s from transfer where period_id = ?"
                  .formatted(TRANSFER),
              period);
          jdbc.update(
              """
              insert into floor_entry (transfer_id, account_id, amount)
              select id, from_account, -amount from floor_transfer
              union all
              select id, to_account, amount from floor_transfer
              """);
        });
  }

  private void drop() {
    jdbc.execute("drop table floor_standing, floor_transfer, floor_entry");
  }
}

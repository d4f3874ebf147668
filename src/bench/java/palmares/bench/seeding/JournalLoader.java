package palmares.bench.seeding;

import de.bytefish.pgbulkinsert.row.SimpleRow;
import de.bytefish.pgbulkinsert.row.SimpleRowWriter;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bench.Beans;
import palmares.platform.bulk.BulkLoad;

/** Loads a period's events into PostgreSQL, as if its journal had been recordPosition. */
final class JournalLoader {
  private static final int BATCH = 50_000;
  private static final SimpleRowWriter.Table EVENT =
      BulkLoad.table(
          "event",
          "period_id",
          "seq",
          "id",
          "member",
          "action",
          "outcome",
          "quantity",
          "points",
          "occurred_at",
          "then_by",
          "digest");

  private final BulkLoad bulk;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  JournalLoader(Beans beans) {
    this.bulk = beans.get(BulkLoad.class);
    this.jdbc = beans.get(JdbcClient.class);
    this.transaction = beans.get(TransactionTemplate.class);
  }

  /**
   * Writes the first or the second event of each member.
   *
   * @param advance receives the number of events written since the last call
   */
  void load(SeededPeriod seeded, int round, LongConsumer advance) {
    var batch = new ArrayList<Invitation>(BATCH);
    Invitation.each(
        seeded,
        round,
        invitation -> {
          batch.add(invitation);
          if (batch.size() == BATCH) {
            write(seeded, batch);
            advance.accept(BATCH);
            batch.clear();
          }
        });
    write(seeded, batch);
  }

  private void write(SeededPeriod seeded, List<Invitation> batch) {
    long period = seeded.period().id().value();
    transaction.executeWithoutResult(
        status -> bulk.into(EVENT, batch, (row, invitation) -> write(row, period, invitation)));
  }

  private static void write(SimpleRow row, long period, Invitation invitation) {
    row.setLong(0, period);
    row.setLong(1, invitation.seq());
    row.setText(2, invitation.id());
    row.setText(3, invitation.member());
    row.setText(4, Invitation.ACTION);
    row.setText(5, Invitation.OUTCOME);
    row.setLong(6, (long) invitation.quantity());
    row.setLong(7, (long) invitation.quantity());
    row.setTimeStampTz(8, invitation.occurredAt().atZone(ZoneOffset.UTC));
    row.setLong(9, 0L);
    row.setText(10, invitation.digest());
  }

  /** Records the journal's position after all events. */
  void recordPosition(SeededPeriod seeded) {
    jdbc.sql(
            """
            insert into journal_position (period_id, drained, checksum)
            select :id, :seq, coalesce(sum(event_hash(event)), 0) from event where period_id = :id
            """)
        .param("id", seeded.period().id().value())
        .param("seq", seeded.events())
        .update();
  }
}

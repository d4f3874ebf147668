package palmares.bench.seeding;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bench.Beans;
import palmares.period.PeriodId;
import palmares.platform.bulk.BinaryRows;
import palmares.platform.bulk.BulkLoad;

/** Loads a period's events into PostgreSQL, as if its journal had been recordPosition. */
final class JournalLoader {
  private static final int BATCH = 50_000;
  private static final String EVENT =
      "event (period_id, seq, id, member, action, outcome, quantity, points, occurred_at, then_by,"
          + " digest)";

  private static final int FIELDS = 11;

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
    transaction.executeWithoutResult(
        status ->
            bulk.stream(
                EVENT, sink -> write(new BinaryRows(FIELDS, sink), seeded.period().id(), batch)));
  }

  private static void write(BinaryRows rows, PeriodId period, List<Invitation> batch) {
    for (Invitation invitation : batch) {
      rows.row()
          .int8(period.value())
          .int8(invitation.seq())
          .text(invitation.id())
          .text(invitation.member())
          .text(Invitation.ACTION)
          .text(Invitation.OUTCOME)
          .int8(invitation.quantity())
          .int8(invitation.quantity())
          .time(invitation.occurredAt())
          .int8(0)
          .text(invitation.digest());
    }
    rows.finish();
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

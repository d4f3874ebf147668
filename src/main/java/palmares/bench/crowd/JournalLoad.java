package palmares.bench.crowd;

import de.bytefish.pgbulkinsert.row.SimpleRow;
import de.bytefish.pgbulkinsert.row.SimpleRowWriter;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bench.Parts;
import palmares.bench.Watcher.Task;
import palmares.bulk.BulkLoad;

/** Leaves a period's events in PostgreSQL as a journal does that has been drained. */
final class JournalLoad {
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

  JournalLoad(Parts parts) {
    this.bulk = parts.get(BulkLoad.class);
    this.jdbc = parts.get(JdbcClient.class);
    this.transaction = parts.get(TransactionTemplate.class);
  }

  /** Writes all events of the ground. */
  void load(Ground ground, Task task) {
    var batch = new ArrayList<Invitation>(BATCH);
    long[] written = {0};
    Invitation.each(
        ground,
        invitation -> {
          batch.add(invitation);
          if (batch.size() == BATCH) {
            written[0] = write(ground, batch);
            task.at(written[0]);
          }
        });
    if (!batch.isEmpty()) {
      written[0] = write(ground, batch);
    }
    position(ground, written[0]);
  }

  private long write(Ground ground, List<Invitation> batch) {
    long period = ground.period().id().value();
    transaction.executeWithoutResult(
        status -> bulk.into(EVENT, batch, (row, invitation) -> write(row, period, invitation)));
    long last = batch.get(batch.size() - 1).seq();
    batch.clear();
    return last;
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

  private void position(Ground ground, long seq) {
    jdbc.sql("insert into journal_position (period_id, drained) values (:id, :seq)")
        .param("id", ground.period().id().value())
        .param("seq", seq)
        .update();
  }
}

package palmares.journal;

import de.bytefish.pgbulkinsert.row.SimpleRow;
import de.bytefish.pgbulkinsert.row.SimpleRowWriter;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bulk.BulkLoad;
import palmares.live.LiveEntry;
import palmares.live.LiveJournal;
import palmares.period.Period;
import palmares.period.PeriodId;

/**
 * Drains live journals into PostgreSQL. The events and the position that they reach commit
 * together, so each arrives exactly once; only then does Redis forget them.
 */
@Component
public class Journal {
  private static final int BATCH = 5_000;
  private static final SimpleRowWriter.Table EVENT =
      BulkLoad.table(
          "event",
          "period_id",
          "seq",
          "id",
          "member",
          "action",
          "subject",
          "outcome",
          "quantity",
          "points",
          "occurred_at",
          "value",
          "then_by",
          "digest");

  private final LiveJournal live;
  private final BulkLoad bulk;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  Journal(LiveJournal live, BulkLoad bulk, JdbcClient jdbc, TransactionTemplate transaction) {
    this.live = live;
    this.bulk = bulk;
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /** As {@link #drain(Period, Runnable)}, with nothing to do in between. */
  public long drain(Period period) {
    return drain(period, () -> {});
  }

  /**
   * Drains all that the period's live journal holds.
   *
   * @param afterBatch is run after each batch that is in PostgreSQL for good
   * @return the number of the last event in PostgreSQL
   * @throws JournalGap if events are missing between what is drained and what Redis holds, or Redis
   *     has decided other events under numbers that are drained already
   */
  public long drain(Period period, Runnable afterBatch) {
    while (true) {
      List<LiveEntry> entries = live.first(period, BATCH);
      if (entries.isEmpty()) {
        return position(period.id());
      }
      Long reached = transaction.execute(status -> store(period, lock(period.id()), entries));
      live.trim(period, Objects.requireNonNull(reached));
      afterBatch.run();
    }
  }

  /**
   * Drains one batch, unless somebody else is draining the period.
   *
   * @return whether there may be more to drain
   * @throws JournalGap as {@link #drain(Period, Runnable)} does
   */
  boolean drainBatch(Period period) {
    List<LiveEntry> entries = live.first(period, BATCH);
    if (entries.isEmpty()) {
      return false;
    }
    Optional<Long> reached =
        Objects.requireNonNull(
            transaction.execute(
                status -> lockUnlessHeld(period.id()).map(from -> store(period, from, entries))));
    reached.ifPresent(seq -> live.trim(period, seq));
    return reached.isPresent() && entries.size() == BATCH;
  }

  private long store(Period period, long from, List<LiveEntry> read) {
    requireSame(period, read.stream().filter(entry -> entry.seq() <= from).toList());
    var entries = read.stream().filter(entry -> entry.seq() > from).toList();
    if (entries.isEmpty()) {
      return from;
    }
    requireNoGap(period, from, entries);
    long id = period.id().value();
    bulk.into(EVENT, entries, (row, entry) -> write(row, id, entry));
    return advance(period.id(), entries.get(entries.size() - 1).seq());
  }

  /** Entries that a drain has stored and not trimmed; a Redis that went back in time has others. */
  private void requireSame(Period period, List<LiveEntry> stored) {
    if (stored.isEmpty()) {
      return;
    }
    jdbc.sql(
            """
            select redis.seq, redis.id, event.id as stored
            from unnest(:seqs::bigint[], :ids::text[]) as redis (seq, id)
            left join event on event.period_id = :period and event.seq = redis.seq
            where event.id is distinct from redis.id
            order by redis.seq
            limit 1
            """)
        .param("seqs", stored.stream().map(LiveEntry::seq).toArray(Long[]::new))
        .param("ids", stored.stream().map(LiveEntry::id).toArray(String[]::new))
        .param("period", period.id().value())
        .query(
            (row, n) ->
                JournalGap.other(period, row.getLong(1), row.getString(2), row.getString(3)))
        .optional()
        .ifPresent(
            gap -> {
              throw gap;
            });
  }

  private static void requireNoGap(Period period, long from, List<LiveEntry> entries) {
    long expected = from + 1;
    for (LiveEntry entry : entries) {
      if (entry.seq() != expected) {
        throw JournalGap.between(period, expected, entry.seq());
      }
      expected++;
    }
  }

  private static void write(SimpleRow row, long period, LiveEntry entry) {
    row.setLong(0, period);
    row.setLong(1, entry.seq());
    row.setText(2, entry.id());
    row.setText(3, entry.member());
    row.setText(4, entry.action());
    row.setText(5, entry.subject());
    row.setText(6, entry.outcome().word());
    row.setLong(7, entry.quantity());
    row.setLong(8, entry.points());
    row.setTimeStampTz(9, entry.occurredAt().atZone(ZoneOffset.UTC));
    row.setLong(10, entry.value());
    row.setLong(11, entry.thenBy());
    row.setText(12, entry.digest());
  }

  /** The number of the last event of the period that is in PostgreSQL; 0 if none is. */
  public long position(PeriodId period) {
    return jdbc.sql("select drained from journal_position where period_id = :id")
        .param("id", period.value())
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  /** The number of the last event in PostgreSQL, which only we change until we commit. */
  private long lock(PeriodId period) {
    begin(period);
    return jdbc.sql("select drained from journal_position where period_id = :id for update")
        .param("id", period.value())
        .query(Long.class)
        .single();
  }

  /** As {@link #lock}, but empty if somebody else has it. */
  private Optional<Long> lockUnlessHeld(PeriodId period) {
    begin(period);
    return jdbc.sql(
            """
            select drained from journal_position where period_id = :id for update skip locked
            """)
        .param("id", period.value())
        .query(Long.class)
        .optional();
  }

  private void begin(PeriodId period) {
    jdbc.sql(
            """
            insert into journal_position (period_id, drained)
            values (:id, 0)
            on conflict (period_id) do nothing
            """)
        .param("id", period.value())
        .update();
  }

  private long advance(PeriodId period, long seq) {
    jdbc.sql("update journal_position set drained = :seq where period_id = :id")
        .param("seq", seq)
        .param("id", period.value())
        .update();
    return seq;
  }
}

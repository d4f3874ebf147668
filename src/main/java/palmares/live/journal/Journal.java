package palmares.live.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.Halt;
import palmares.live.board.JournalEntry;
import palmares.live.board.LiveEntry;
import palmares.live.board.LiveJournal;
import palmares.live.board.Verdict;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;

/**
 * Drains live journals into PostgreSQL. Events and the position that they reach are committed
 * together, so each event is stored exactly once. Afterwards the entries are trimmed from Redis. An
 * entry that PostgreSQL refuses is quarantined, and the others are stored.
 */
@Component
public class Journal {
  private static final int BATCH_EVENTS = 5_000;
  private static final int IDS_PER_CALL = 500;

  /** Limits how long a batch takes after a rebuild, when the live board holds all ids again. */
  private static final int MAX_TRIM_CALLS_PER_BATCH = 50;

  private final LiveJournal live;
  private final StoredEvents events;
  private final Quarantine quarantine;
  private final BoardDefinitions definitions;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  Journal(
      LiveJournal live,
      StoredEvents events,
      Quarantine quarantine,
      BoardDefinitions definitions,
      JdbcClient jdbc,
      TransactionTemplate transaction) {
    this.live = live;
    this.events = events;
    this.quarantine = quarantine;
    this.definitions = definitions;
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /** Says what a drain does if another process has locked the period's position. */
  private enum IfLocked {
    WAIT,
    SKIP
  }

  /** Says how a batch has ended. */
  enum Drained {
    /** All that the live journal holds is in PostgreSQL. */
    ALL,
    /** There may be more to drain. */
    MORE,
    /** Another process drains the period. */
    LOCKED
  }

  /**
   * Drains all that the period's live journal holds, as {@link #drain(Period, LongConsumer)} does.
   *
   * @return the number of the last event in PostgreSQL
   */
  public long drain(Period period) {
    drain(period, last -> {});
    return position(period.id());
  }

  /**
   * Drains all that the period's live journal holds.
   *
   * @param afterBatch gets the number of the last event of each committed batch
   * @throws JournalGap if events are missing between PostgreSQL and Redis, or Redis has decided
   *     other events under numbers that PostgreSQL has already
   */
  public void drain(Period period, LongConsumer afterBatch) {
    while (true) {
      List<JournalEntry> read = live.first(period, BATCH_EVENTS);
      if (read.isEmpty()) {
        return;
      }
      store(period, read, IfLocked.WAIT);
      live.trim(period, read.get(read.size() - 1));
      trimIds(period);
      afterBatch.accept(read.get(read.size() - 1).seq());
    }
  }

  /**
   * Drains one batch, unless another process is draining the period.
   *
   * @throws JournalGap as {@link #drain(Period, LongConsumer)} does
   */
  Drained drainBatch(Period period) {
    List<JournalEntry> read = live.first(period, BATCH_EVENTS);
    if (read.isEmpty()) {
      return Drained.ALL;
    }
    if (!store(period, read, IfLocked.SKIP)) {
      return Drained.LOCKED;
    }
    live.trim(period, read.get(read.size() - 1));
    trimIds(period);
    return read.size() >= BATCH_EVENTS ? Drained.MORE : Drained.ALL;
  }

  /**
   * Removes ids of old events from a live board whose rules limit how many it keeps. Repeats of
   * these events are found in PostgreSQL.
   */
  private void trimIds(Period period) {
    long keptIds = definitions.of(period).keptIds();
    long position = keptIds == 0 ? 0 : position(period.id());
    if (position <= keptIds) {
      return;
    }
    long from = live.forgotten(period);
    for (int call = 0; call < MAX_TRIM_CALLS_PER_BATCH && from < position - keptIds; call++) {
      long to = Math.min(from + IDS_PER_CALL, position - keptIds);
      if (!live.forget(period, from, to, events.ids(period.id(), from, to))) {
        return;
      }
      from = to;
    }
  }

  /**
   * Stores what PostgreSQL lacks, in one transaction. If PostgreSQL refuses an entry, another
   * transaction finds it and stores the others. A gap halts the live board.
   *
   * @return false if another process has locked the position
   */
  private boolean store(Period period, List<JournalEntry> read, IfLocked ifLocked) {
    try {
      return storeOrQuarantine(period, read, ifLocked);
    } catch (JournalGap gap) {
      if (!gap.wentBack()) {
        live.halt(period, Halt.GAP);
      }
      throw gap;
    }
  }

  private boolean storeOrQuarantine(Period period, List<JournalEntry> read, IfLocked ifLocked) {
    try {
      return inTransaction(period, read, ifLocked, (status, fresh) -> add(period, fresh));
    } catch (DataIntegrityViolationException | JournalEntry.Undecodable refused) {
      return inTransaction(
          period, read, ifLocked, (status, fresh) -> addOrQuarantine(period, status, fresh));
    }
  }

  private boolean inTransaction(
      Period period,
      List<JournalEntry> read,
      IfLocked ifLocked,
      BiConsumer<TransactionStatus, List<JournalEntry>> storing) {
    return transaction.execute(
        status -> {
          Optional<Long> locked = lock(period.id(), ifLocked);
          locked.ifPresent(
              from -> store(period, from, read, fresh -> storing.accept(status, fresh)));
          return locked.isPresent();
        });
  }

  private void store(
      Period period, long from, List<JournalEntry> read, Consumer<List<JournalEntry>> storing) {
    requireSame(period, read.stream().filter(entry -> entry.seq() <= from).toList());
    var fresh = read.stream().filter(entry -> entry.seq() > from).toList();
    if (!fresh.isEmpty()) {
      requireNoGap(period, from, fresh);
      storing.accept(fresh);
      advance(period.id(), fresh.get(fresh.size() - 1).seq());
    }
  }

  private void add(Period period, List<JournalEntry> entries) {
    events.add(period.id(), entries.stream().map(JournalEntry::decode).toList());
  }

  /** Stores entries; if PostgreSQL refuses, each half, down to the refused entry's quarantine. */
  private void addOrQuarantine(
      Period period, TransactionStatus status, List<JournalEntry> entries) {
    Object savepoint = status.createSavepoint();
    try {
      add(period, entries);
      status.releaseSavepoint(savepoint);
    } catch (DataIntegrityViolationException | JournalEntry.Undecodable refused) {
      status.rollbackToSavepoint(savepoint);
      if (entries.size() > 1) {
        int half = entries.size() / 2;
        addOrQuarantine(period, status, entries.subList(0, half));
        addOrQuarantine(period, status, entries.subList(half, entries.size()));
      } else if (refused instanceof DuplicateKeyException) {
        throw JournalGap.repeated(period, entries.get(0).decode());
      } else {
        quarantine.add(period, entries.get(0), refused);
      }
    }
  }

  /** Requires that entries which are stored but not trimmed are the stored ones. */
  private void requireSame(Period period, List<JournalEntry> stored) {
    if (stored.isEmpty()) {
      return;
    }
    Map<Long, LiveEntry> known = new HashMap<>();
    events
        .after(period.id(), stored.get(0).seq() - 1, stored.size())
        .forEach(event -> known.put(event.seq(), event));
    var quarantined = new ArrayList<JournalEntry>();
    for (JournalEntry entry : stored) {
      LiveEntry event = known.get(entry.seq());
      if (event == null || event.outcome() == Verdict.DISCARDED) {
        quarantined.add(entry);
      } else if (!isSame(entry, event)) {
        throw JournalGap.other(period, entry, event);
      }
    }
    quarantine
        .firstOther(period.id(), quarantined)
        .ifPresent(
            entry -> {
              throw JournalGap.other(period, entry, null);
            });
  }

  private static boolean isSame(JournalEntry entry, LiveEntry event) {
    try {
      return entry.decode().equals(event);
    } catch (JournalEntry.Undecodable other) {
      return false;
    }
  }

  private static void requireNoGap(Period period, long from, List<JournalEntry> entries) {
    long expected = from + 1;
    for (JournalEntry entry : entries) {
      if (entry.seq() != expected) {
        throw JournalGap.between(period, expected, entry.seq());
      }
      expected++;
    }
  }

  /**
   * Requires that the live board has decided all events that PostgreSQL has.
   *
   * @param decided how many events the live board has decided; read it after the position
   * @throws JournalGap if Redis went back to an earlier state
   */
  public static void requireNotBehind(Period period, long position, long decided) {
    if (decided < position) {
      throw JournalGap.wentBack(period, position, decided);
    }
  }

  /** Returns the number of the period's last event in PostgreSQL; 0 if there is none. */
  public long position(PeriodId period) {
    return positions(List.of(period)).getOrDefault(period, 0L);
  }

  /** Returns the number of the last event in PostgreSQL of each period that has one. */
  Map<PeriodId, Long> positions(List<PeriodId> periods) {
    var positions = new HashMap<PeriodId, Long>();
    jdbc.sql("select period_id, drained from journal_position where period_id = any(:ids)")
        .param("ids", periods.stream().map(PeriodId::value).toArray(Long[]::new))
        .query(
            row -> {
              positions.put(new PeriodId(row.getLong("period_id")), row.getLong("drained"));
            });
    return positions;
  }

  /** Locks and returns the number of the last event; empty if it is locked and to be skipped. */
  private Optional<Long> lock(PeriodId period, IfLocked ifLocked) {
    return lockExisting(period, ifLocked)
        .or(
            () -> {
              jdbc.sql(
                      """
                      insert into journal_position (period_id, drained)
                      values (:id, 0)
                      on conflict (period_id) do nothing
                      """)
                  .param("id", period.value())
                  .update();
              return lockExisting(period, ifLocked);
            });
  }

  private Optional<Long> lockExisting(PeriodId period, IfLocked ifLocked) {
    String lock = "select drained from journal_position where period_id = :id for update";
    return jdbc.sql(ifLocked == IfLocked.SKIP ? lock + " skip locked" : lock)
        .param("id", period.value())
        .query(Long.class)
        .optional();
  }

  private void advance(PeriodId period, long seq) {
    jdbc.sql("update journal_position set drained = :seq where period_id = :id")
        .param("seq", seq)
        .param("id", period.value())
        .update();
  }
}

package palmares.live.journal;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.dao.DataAccessException;
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
import palmares.live.board.LiveJournal.BoardProgress;
import palmares.live.board.Verdict;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.infra.WorkPermit;
import palmares.platform.sql.RecordMapper;
import palmares.platform.text.Sentence;
import palmares.platform.text.Setting;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Durability;

/**
 * Drains live journals into PostgreSQL. Events and the position that they reach are committed
 * together, so each event is stored exactly once. Redis keeps the last ones for a while: if
 * PostgreSQL goes back to an earlier state, it gets them again. An entry that PostgreSQL refuses is
 * quarantined, and the others are stored.
 */
@Component
@EnableConfigurationProperties(Journal.Settings.class)
public class Journal {
  private static final int BATCH_EVENTS = 5_000;
  private static final int IDS_PER_CALL = 500;

  /** A drain that hangs in another process must not keep a worker of this one. */
  private static final Duration MAX_LOCK_WAIT = Duration.ofSeconds(30);

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** Limits how long a batch takes after a rebuild, when the live board holds all ids again. */
  private static final int MAX_TRIM_CALLS_PER_BATCH = 50;

  private final LiveJournal live;
  private final StoredEvents events;
  private final Quarantine quarantine;
  private final BoardDefinitions definitions;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final WorkPermit permit;
  private final Settings settings;

  Journal(
      LiveJournal live,
      StoredEvents events,
      Quarantine quarantine,
      BoardDefinitions definitions,
      JdbcClient jdbc,
      TransactionTemplate transaction,
      WorkPermit permit,
      Settings settings) {
    this.permit = permit;
    this.settings = settings;
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
   * Drains all that the period's live journal holds now and PostgreSQL lacks. Writers who go on do
   * not keep it busy. A board that lost its count, or is halted, has none.
   *
   * @param afterBatch gets the number of the last event of each committed batch
   * @throws JournalGap if events are missing between PostgreSQL and Redis, or Redis has decided
   *     other events under numbers that PostgreSQL has already
   */
  public void drain(Period period, LongConsumer afterBatch) {
    BoardProgress board = live.progress(List.of(period)).get(0);
    boolean isWritten = board.exists() && board.halt() == null && !board.isRebuilding();
    long decided = isWritten ? board.decided() : Long.MAX_VALUE;
    var last = new AtomicLong();
    LongConsumer committed =
        number -> {
          last.set(number);
          afterBatch.accept(number);
        };
    boolean isLast = false;
    while (drainBatch(period, IfLocked.WAIT, committed) == Drained.MORE && !isLast) {
      isLast = last.get() >= decided;
    }
  }

  /**
   * Drains one batch, unless another process is draining the period.
   *
   * @throws JournalGap as {@link #drain(Period, LongConsumer)} does
   */
  Drained drainBatch(Period period) {
    return drainBatch(period, IfLocked.SKIP, last -> {});
  }

  private Drained drainBatch(Period period, IfLocked ifLocked, LongConsumer afterBatch) {
    permit.require();
    // In this order, since PostgreSQL never has what the board has not decided.
    Position from = positions(List.of(period.id())).getOrDefault(period.id(), Position.NONE);
    BoardProgress board = live.progress(List.of(period)).get(0);
    List<JournalEntry> read = live.from(period, from.last(), BATCH_EVENTS);
    Stored stored = store(period, new Batch(from, board, read), ifLocked);
    if (stored == Stored.LOCKED) {
      return Drained.LOCKED;
    }
    if (stored == Stored.NOTHING) {
      return Drained.ALL;
    }
    if (stored == Stored.EVENTS) {
      JournalEntry last = read.get(read.size() - 1);
      trim(period, new Position(last.seq(), last.id()));
      trimIds(period);
      afterBatch.accept(last.seq());
    }
    return stored == Stored.AGAIN || read.size() >= BATCH_EVENTS || ifLocked == IfLocked.WAIT
        ? Drained.MORE
        : Drained.ALL;
  }

  /** Trims from the live journal what need not be kept any more. */
  void trim(Period period, Position position) {
    if (position.entry() != null) {
      live.trim(
          period, position.entry(), position.last(), settings.keepFor(), settings.keepEvents());
    }
  }

  /**
   * Whether Redis does not know the position, or holds events that need not be kept any more. If
   * PostgreSQL went back, Redis knows a later one until the next drain.
   */
  boolean isTrimmable(BoardProgress board, Position position) {
    boolean isOld =
        board.first() <= position.last() - Math.max(1, settings.keepEvents())
            && board.age().compareTo(settings.keepFor()) > 0;
    return board.first() > 0
        && !board.isRebuilding()
        && position.entry() != null
        && (isOld || board.drained() < position.last());
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

  /** What was read of a journal, and before it how far PostgreSQL and the live board were. */
  private record Batch(Position from, BoardProgress board, List<JournalEntry> entries) {}

  /** Says what a batch has stored. */
  private enum Stored {
    EVENTS,
    /** PostgreSQL has all of it. */
    NOTHING,
    /**
     * After the batch was read, PostgreSQL went back to an earlier state, or another process stored
     * all of it.
     */
    AGAIN,
    /** Another process has locked the position. */
    LOCKED
  }

  /**
   * Stores what PostgreSQL lacks, in one transaction. If PostgreSQL refuses an entry, another
   * transaction finds it and stores the others. A gap halts the live board.
   */
  private Stored store(Period period, Batch batch, IfLocked ifLocked) {
    try {
      return storeOrQuarantine(period, batch, ifLocked);
    } catch (JournalGap gap) {
      if (!gap.wentBack()) {
        live.halt(period, Halt.GAP);
      }
      throw gap;
    }
  }

  private Stored storeOrQuarantine(Period period, Batch batch, IfLocked ifLocked) {
    try {
      return inTransaction(period, batch, ifLocked, (status, fresh) -> add(period, fresh));
    } catch (DataIntegrityViolationException | JournalEntry.Undecodable refused) {
      return inTransaction(
          period, batch, ifLocked, (status, fresh) -> addOrQuarantine(period, status, fresh));
    }
  }

  private Stored inTransaction(
      Period period,
      Batch batch,
      IfLocked ifLocked,
      BiConsumer<TransactionStatus, List<JournalEntry>> storing) {
    return transaction.execute(
        status ->
            lock(period.id(), ifLocked)
                .map(from -> store(period, from, batch, fresh -> storing.accept(status, fresh)))
                .orElse(Stored.LOCKED));
  }

  private Stored store(
      Period period, Position from, Batch batch, Consumer<List<JournalEntry>> storing) {
    if (from.last() < batch.from().last()) {
      return Stored.AGAIN;
    }
    BoardProgress board = batch.board();
    if (board.last() > 0 && board.last() < batch.from().last()) {
      throw JournalGap.wentBack(period, batch.from().last(), board.last());
    }
    requireSame(period, from, batch.entries());
    var fresh = batch.entries().stream().filter(entry -> entry.seq() > from.last()).toList();
    if (!fresh.isEmpty()) {
      requireNoGap(period, from.last(), fresh);
      if (board.drained() > from.last()) {
        live.keep(period, settings.keepFor());
      }
      storing.accept(fresh);
      JournalEntry last = fresh.get(fresh.size() - 1);
      advance(period.id(), last);
      return Stored.EVENTS;
    }
    if (from.last() > batch.from().last()) {
      return Stored.AGAIN;
    }
    if (board.decided() > from.last() && !board.isRebuilding()) {
      throw JournalGap.ended(period, from.last(), board.decided());
    }
    return Stored.NOTHING;
  }

  private void add(Period period, List<JournalEntry> entries) {
    events.add(period.id(), entries.stream().map(JournalEntry::decode).toList());
    Board rules = definitions.of(period);
    if (rules.durability() == Durability.COMMITTED) {
      events.restoreCommitted(period.id(), rules, entries);
    }
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

  /** Requires that entries which are stored and kept are the stored ones. */
  private void requireSame(Period period, Position position, List<JournalEntry> entries) {
    var stored = entries.stream().filter(entry -> entry.seq() <= position.last()).toList();
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
    JournalEntry last = stored.get(stored.size() - 1);
    if (position.entry() != null
        && last.seq() == position.last()
        && !last.id().equals(position.entry())) {
      throw JournalGap.rewritten(period, last);
    }
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

  /**
   * How far PostgreSQL has a journal.
   *
   * @param last the number of its last event; 0 if there is none
   * @param entry the id of the entry that ends with it, in the live journal; null if there is none
   */
  record Position(long last, @Nullable String entry) {
    static final Position NONE = new Position(0, null);
  }

  /** Says which event is the last that PostgreSQL has, and its time in the board's zone. */
  public Sentence last(Period period) {
    long position = position(period.id());
    List<LiveEntry> last = events.after(period.id(), position - 1, 1);
    return last.isEmpty()
        ? new JournalSentences.Empty()
        : new JournalSentences.Last(
            position, last.get(0).occurredAt().atZone(definitions.of(period).zone()));
  }

  /** Returns the number of the period's last event in PostgreSQL; 0 if there is none. */
  public long position(PeriodId period) {
    return positions(List.of(period)).getOrDefault(period, Position.NONE).last();
  }

  /** Returns how far PostgreSQL has the journal of each period that has one. */
  Map<PeriodId, Position> positions(List<PeriodId> periods) {
    return jdbc.sql(
            """
            select period_id, drained as last, entry from journal_position
            where period_id = any(:ids)
            """)
        .param("ids", periods)
        .query(RecordMapper.map(PeriodId.class, Position.class));
  }

  /** Locks and returns the position; empty if it is locked and to be skipped. */
  private Optional<Position> lock(PeriodId period, IfLocked ifLocked) {
    return lockExisting(period, ifLocked)
        .or(
            () -> {
              jdbc.sql(
                      """
                      insert into journal_position (period_id, drained)
                      values (:id, 0)
                      on conflict (period_id) do nothing
                      """)
                  .param("id", period)
                  .update();
              return lockExisting(period, ifLocked);
            });
  }

  private Optional<Position> lockExisting(PeriodId period, IfLocked ifLocked) {
    if (ifLocked == IfLocked.WAIT) {
      jdbc.sql("select set_config('lock_timeout', :most, true)")
          .param("most", MAX_LOCK_WAIT.toMillis() + "")
          .query()
          .singleRow();
    }
    String lock =
        "select drained as last, entry from journal_position where period_id = :id for update";
    try {
      return jdbc.sql(ifLocked == IfLocked.SKIP ? lock + " skip locked" : lock)
          .param("id", period)
          .query(Position.class)
          .optional();
    } catch (DataAccessException e) {
      if (e.getMostSpecificCause() instanceof SQLException refused
          && LOCK_NOT_AVAILABLE.equals(refused.getSQLState())) {
        throw new Refusal(
            Problem.PERIOD_BUSY, new JournalSentences.BeingDrained(MAX_LOCK_WAIT.toSeconds()), e);
      }
      throw e;
    }
  }

  private void advance(PeriodId period, JournalEntry last) {
    jdbc.sql(
            """
            update journal_position set drained = :seq, entry = :entry where period_id = :id
            """)
        .param("seq", last.seq())
        .param("entry", last.id())
        .param("id", period)
        .update();
  }

  /**
   * Settings of live journals.
   *
   * @param drain whether this process drains all open periods all the time, as a server does
   * @param keepFor how long an event stays in Redis after it was decided, and after PostgreSQL went
   *     back and has got it again, although PostgreSQL has it. If PostgreSQL goes back by less (a
   *     failover to a standby that lagged, a restore), it gets these events again and nothing is
   *     lost. A board that takes 1,000 events a second keeps 7 to 28 MB for a minute
   * @param keepEvents how many of the last events of each period stay in Redis longer than that; 0
   *     or more. Each takes 110 to 470 bytes of Redis
   */
  @ConfigurationProperties("palmares.journal")
  record Settings(
      @DefaultValue("false") boolean drain,
      @DefaultValue("1m") Duration keepFor,
      @DefaultValue("1000") long keepEvents) {
    Settings {
      var journal = new Setting("palmares.journal");
      journal.part("keep-for").requireAtLeast(Duration.ZERO, keepFor);
      journal.part("keep-events").requireAtLeast(0, keepEvents);
    }
  }
}

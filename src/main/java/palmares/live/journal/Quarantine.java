package palmares.live.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.JournalEntry;
import palmares.live.board.LiveEntry;
import palmares.live.board.Verdict;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.Identifier;
import palmares.platform.sql.RecordMapper;
import palmares.platform.text.Choice;
import palmares.platform.text.Next;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.platform.time.SqlTime;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * Keeps journal entries that PostgreSQL refused, and events of a sealed period that the live board
 * decided against the rules, until a person releases or discards each. A period with an undecided
 * entry is not paid.
 */
@Component
public class Quarantine {
  /** Above this, PostgreSQL probably refuses all entries of the period, and its drain fails. */
  private static final int MAX_UNDECIDED_ENTRIES = 1_000;

  /** Begins with a control character (DEL), which no id of an event contains. */
  private static final String PLACEHOLDER_ID = "\177discarded entry %s";

  private final StoredEvents events;
  private final Leases leases;
  private final AuditLog auditLog;
  private final Clock clock;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  Quarantine(
      StoredEvents events,
      Leases leases,
      AuditLog auditLog,
      Clock clock,
      JdbcClient jdbc,
      TransactionTemplate transaction) {
    this.events = events;
    this.leases = leases;
    this.auditLog = auditLog;
    this.clock = clock;
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /** The decision of a person on an entry. */
  public enum Resolution implements Choice {
    /** The entry counts as it was decided; PostgreSQL must accept it by now. */
    RELEASED("release-entry"),
    /** The entry does not count: an event that changes nothing takes its number. */
    DISCARDED("discard-entry");

    private final String auditAction;

    Resolution(String auditAction) {
      this.auditAction = auditAction;
    }
  }

  /**
   * A quarantined entry.
   *
   * @param startsAt the start of its period
   * @param number its number among the events of its period
   * @param entry its fields, separated by bars
   * @param error why PostgreSQL refused it
   * @param decision the decision, by whom and why; null while it is undecided
   */
  public record QuarantinedEntry(
      String board,
      String period,
      @JsonIgnore Instant startsAt,
      @Identifier long number,
      Instant quarantinedAt,
      String entry,
      Sentence error,
      @Nullable Sentence decision) {}

  /** A position in the list of entries: by board, start of the period and number. */
  public record Position(String board, Instant startsAt, long seq) {}

  /** Quarantines an entry, in the caller's transaction. */
  void add(Period period, JournalEntry entry, Exception refused) {
    if (undecided(period.id()) >= MAX_UNDECIDED_ENTRIES) {
      throw new IllegalStateException(
          "PostgreSQL refuses more than %d entries of the journal of %s: %s"
              .formatted(MAX_UNDECIDED_ENTRIES, period.label(), error(refused)),
          refused);
    }
    jdbc.sql(
            """
            insert into journal_quarantine (period_id, seq, entry, error, quarantined_at)
            values (:period, :seq, :entry, :error::jsonb, :now)
            """)
        .param("period", period.id())
        .param("seq", entry.seq())
        .param("entry", entry.bytes())
        .param("error", Said.toJson(Sentence.verbatim(error(refused))))
        .param("now", clock.instant())
        .update();
  }

  private static String error(Exception refused) {
    String message =
        String.valueOf(NestedExceptionUtils.getMostSpecificCause(refused).getMessage());
    return printable(message.lines().findFirst().orElse(""));
  }

  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "|");
  }

  /** Returns the first of the entries that is not quarantined with the same bytes. */
  Optional<JournalEntry> firstOther(PeriodId period, List<JournalEntry> entries) {
    if (entries.isEmpty()) {
      return Optional.empty();
    }
    Map<Long, byte[]> held =
        jdbc.sql("select seq, entry from journal_quarantine where period_id = :period")
            .param("period", period)
            .query(RecordMapper.map(Long.class, byte[].class));
    return entries.stream().filter(entry -> !isSame(entry, held.get(entry.seq()))).findFirst();
  }

  /** What {@code journal_entry} encodes has other totals, which no event has. */
  private static boolean isSame(JournalEntry entry, byte @Nullable [] held) {
    if (held == null || Arrays.equals(held, entry.bytes())) {
      return held != null;
    }
    try {
      return entry.decode().equals(JournalEntry.of(entry.seq(), held).decode());
    } catch (JournalEntry.Undecodable other) {
      return false;
    }
  }

  public List<JournalEntry> discarded(PeriodId period) {
    return jdbc
        .sql(
            """
            select seq, entry, by_rules from journal_quarantine
            where period_id = :period and resolution = 'discarded'
            """)
        .param("period", period)
        .query(Stored.class)
        .list()
        .stream()
        .map(stored -> JournalEntry.of(stored.seq(), stored.entry()))
        .toList();
  }

  /**
   * Requires that every entry of the period's journal that PostgreSQL refused is decided.
   *
   * @return the number of the last event in PostgreSQL; 0 if there is none
   * @throws Refusal if the period has an undecided entry
   */
  public long requireNone(Period period) {
    Drained drained =
        jdbc.sql(
                """
                select
                  coalesce(
                    (select drained from journal_position where period_id = :period), 0) as last,
                  (select count(*) from journal_quarantine
                    where period_id = :period and resolution is null and by_rules is null)
                    as undecided
                """)
            .param("period", period.id())
            .query(Drained.class)
            .single();
    if (drained.undecided() > 0) {
      QuarantinedEntry first = list(period.board(), period.name(), false, null, 1).get(0);
      throw new Refusal(
              Problem.EVENTS_MISSING,
              new JournalSentences.Refused(
                  period.label(), drained.undecided(), first.number(), first.error()))
          .then(Next.of("quarantine", period.board(), period.name()));
    }
    return drained.last();
  }

  private record Drained(long last, long undecided) {}

  private long undecided(PeriodId period) {
    return jdbc.sql(
            """
            select count(*) from journal_quarantine
            where period_id = :period and resolution is null
            """)
        .param("period", period)
        .query(Long.class)
        .single();
  }

  /** Counts undecided entries by board; boards without any are left out. */
  Map<BoardId, Long> undecided() {
    return jdbc.sql(
            """
            select board, count(*) as entries
            from journal_quarantine
            join period on period.id = period_id
            where resolution is null
            group by board
            """)
        .query(RecordMapper.map(BoardId.class, Long.class));
  }

  /**
   * Lists quarantined entries by period and number.
   *
   * @param board the board to list; null for all
   * @param period the period to list; null for all
   * @param decided whether to list decided entries too
   * @param after only those after this one, in the order of the list; null for all
   */
  public List<QuarantinedEntry> list(
      @Nullable BoardId board,
      @Nullable PeriodName period,
      boolean decided,
      @Nullable Position after,
      int most) {
    return jdbc.sql(
            """
            select
              board, name, starts_at, seq, entry, error, quarantined_at,
              resolution, resolved_by, reason
            from journal_quarantine
            join period on period.id = period_id
            where board = coalesce(:board::text, board)
              and name = coalesce(:period::text, name)
              and (resolution is null or :decided)
              and (:after_board::text is null
                or (board, starts_at, seq) > (:after_board, :after_start::timestamptz, :after_seq))
            order by board, starts_at, seq
            limit :most
            """)
        .param("board", board)
        .param("period", period)
        .param("decided", decided)
        .param("after_board", after == null ? null : after.board())
        .param("after_start", after == null ? null : after.startsAt())
        .param("after_seq", after == null ? null : after.seq())
        .param("most", most)
        .query(Quarantine::held)
        .list();
  }

  /** By hand: PostgreSQL may have refused the entry because its bytes are no text. */
  private static QuarantinedEntry held(ResultSet row, int n) throws SQLException {
    return new QuarantinedEntry(
        row.getString("board"),
        row.getString("name"),
        SqlTime.instant(row, "starts_at"),
        row.getLong("seq"),
        SqlTime.instant(row, "quarantined_at"),
        printable(new String(row.getBytes("entry"), UTF_8)),
        Objects.requireNonNull(Said.fromJson(row.getString("error"))),
        row.getString("resolution") == null
            ? null
            : new JournalSentences.Decided(
                row.getString("resolution"),
                row.getString("resolved_by"),
                row.getString("reason")));
  }

  /**
   * Releases or discards an entry, and writes an audit entry.
   *
   * @throws WrongState if no undecided entry has that number, PostgreSQL still refuses the entry,
   *     the entry to be discarded is a committed event, or an event that the rules decide otherwise
   *     was changed or another of the period was resolved otherwise
   * @throws PeriodBusy if the period of such an event is being closed
   */
  public void resolve(Period period, long seq, Resolution resolution, String by, String reason) {
    try {
      transaction.executeWithoutResult(
          status -> {
            Undecided undecided = lock(period, seq);
            if (undecided.byRules() != null) {
              requireDecidable(period, seq, resolution);
            }
            if (resolution == Resolution.DISCARDED) {
              LiveEntry placeholder = placeholder(period, undecided.entry());
              events.remove(period.id(), seq);
              events.add(period.id(), List.of(placeholder));
            } else if (undecided.byRules() == null) {
              events.add(period.id(), List.of(undecided.entry().decode()));
            }
            Instant at =
                auditLog.append(
                    AuditEntry.of(period.board(), period.name(), by, resolution.auditAction, reason)
                        .with("entry", seq)
                        .with("byRules", Said.plain(undecided.byRules())));
            mark(period, seq, resolution, by, at, reason);
          });
    } catch (DataIntegrityViolationException | JournalEntry.Undecodable refused) {
      throw new WrongState(new JournalSentences.StillRefused(period.label(), seq, error(refused)));
    }
  }

  /**
   * An entry without a decision.
   *
   * @param byRules what the rules make of it; null if PostgreSQL refused it
   */
  private record Stored(long seq, byte[] entry, @Nullable Sentence byRules) {}

  private record Undecided(JournalEntry entry, @Nullable Sentence byRules) {}

  private Undecided lock(Period period, long seq) {
    return jdbc.sql(
            """
            select seq, entry, by_rules from journal_quarantine
            where period_id = :period and seq = :seq and resolution is null
            for update
            """)
        .param("period", period.id())
        .param("seq", seq)
        .query(Stored.class)
        .optional()
        .map(row -> new Undecided(JournalEntry.of(seq, row.entry()), row.byRules()))
        .orElseThrow(() -> new WrongState(new JournalSentences.NoEntry(period.label(), seq)));
  }

  /**
   * Requires that no closing reads the event meanwhile. A rebuild decides like the rules, so it
   * cannot keep what was decided otherwise: all such events of a period are resolved alike.
   */
  private void requireDecidable(Period period, long seq, Resolution resolution) {
    Leases.Leased leased =
        leases
            .takeAndRead(period.id(), Lease.THIS_PROCESS)
            .orElseThrow(() -> new PeriodBusy(period));
    leases.release(leased.lease());
    if (leased.period().state() != PeriodState.SEALED) {
      throw new WrongState(new JournalSentences.NoEntry(period.label(), seq));
    }
    record Facts(boolean same, boolean otherwise) {}
    Facts facts =
        jdbc.sql(
                """
                select
                  exists (
                    select from event
                    join journal_quarantine held using (period_id, seq)
                    where period_id = :period and seq = :seq
                      and held.entry = journal_entry(event)) as same,
                  exists (
                    select from journal_quarantine
                    where period_id = :period and by_rules is not null
                      and resolution <> :resolution) as otherwise
                """)
            .param("period", period.id())
            .param("seq", seq)
            .param("resolution", resolution)
            .query(Facts.class)
            .single();
    if (!facts.same()) {
      throw new WrongState(new JournalSentences.ChangedSince(period.label(), seq));
    }
    if (facts.otherwise()) {
      throw new WrongState(new JournalSentences.ResolvedOtherwise(period.label(), seq));
    }
  }

  /** Returns an event that changes nothing and takes the entry's number, to leave no gap. */
  private LiveEntry placeholder(Period period, JournalEntry entry) {
    requireNotCommitted(period, entry);
    return new LiveEntry(
        entry.seq(),
        PLACEHOLDER_ID.formatted(entry.seq()),
        "",
        "",
        null,
        Verdict.DISCARDED,
        0,
        0,
        null,
        0,
        "",
        period.slot().startsAt());
  }

  /**
   * A committed event cannot be discarded, because the relay relays it until the journal has it.
   */
  private void requireNotCommitted(Period period, JournalEntry entry) {
    String id = printable(entry.firstField());
    boolean committed =
        jdbc.sql(
                """
                select exists (
                  select from committed_event where period_id = :period and id = :id)
                """)
            .param("period", period.id())
            .param("id", id)
            .query(Boolean.class)
            .single();
    if (committed) {
      throw new WrongState(new JournalSentences.Committed(period.label(), entry.seq(), id));
    }
  }

  private void mark(
      Period period, long seq, Resolution resolution, String by, Instant at, String reason) {
    int marked =
        jdbc.sql(
                """
                update journal_quarantine
                set resolution = :resolution, resolved_by = :by, resolved_at = :at,
                  reason = :reason
                where period_id = :period and seq = :seq
                """)
            .param("resolution", resolution)
            .param("by", by)
            .param("at", at)
            .param("reason", reason)
            .param("period", period.id())
            .param("seq", seq)
            .update();
    if (marked != 1) {
      throw new IllegalStateException(
          "%d rows were updated for the quarantined entry %d, not 1".formatted(marked, seq));
    }
  }
}

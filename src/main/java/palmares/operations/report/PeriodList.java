package palmares.operations.report;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Repair;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.board.Sha256;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Lists periods as operators see them: their state, who works on them, and what is to do. */
@Component
public class PeriodList {
  /** What a person must do about a period next, or what happens without one. */
  interface PeriodNextSentences {
    record Decide() implements Sentence {}

    record DecideRevision(int revision) implements Sentence {}

    record Restart() implements Sentence {}

    record Repair(ZonedDateTime retry) implements Sentence {}

    record AmendedBy(String by, String reason) implements Sentence {}

    record HeldFor(List<? extends Sentence> reasons) implements Sentence {}

    record Closes(ZonedDateTime at) implements Sentence {}

    record Due() implements Sentence {}

    record BeingClosed() implements Sentence {}
  }

  private static final int CAUSE_DIGITS = 8;

  /** A period that is due for longer, and that nobody works on, needs attention. */
  private static final Duration MAX_CLOSING_DELAY = Duration.ofMinutes(5);

  static final String ENTRIES =
      """
      select period.*, period.name as period,
        coalesce(rebuilt_members, sealed_members) as members,
        case when state = 'open' and starts_at > :now then :upcoming else state end as shown_state,
        case when lease_until > :now then period.lease_owner end as worked_on_by,
        case when undecided.base is not null then undecided.revision end as undecided,
        undecided.prepared_at as waits_since,
        case when undecided.base is null then undecided.held_for end as held_for,
        case when undecided.base is not null then undecided.prepared_by end as amended_by,
        undecided.reason as amended_for,
        (select min(starts_at) from period later
          where later.board = period.board and later.starts_at > period.starts_at) as next_starts_at
      from period
      left join lateral (
        select revision, base, prepared_by, prepared_at, reason, held_for from revision
        where revision.period_id = period.id and posted_at is null and verdict is null
          and (base is not null or held_for <> '[]')
        order by revision desc
        limit 1
      ) undecided on true
      """;

  /**
   * What a person should look at. The first condition names all periods that may be such by
   * indexes: years of settled ones are not read.
   */
  static final String ATTENTION =
      """
      period.id = any(array(
        select id from period where settled_at is null
        union
        select period_id from revision
        where base is not null and posted_at is null and verdict is distinct from 'rejected'))
      and (needs_person(state)
        or undecided.base is not null
        or settled_at is null and failures > 0
        or settled_at is null and closes_at <= :overdue
          and (lease_until is null or lease_until <= :now))
      """;

  private final JdbcClient jdbc;
  private final Revisions revisions;
  private final Clock clock;

  PeriodList(JdbcClient jdbc, Revisions revisions, Clock clock) {
    this.jdbc = jdbc;
    this.revisions = revisions;
    this.clock = clock;
  }

  /**
   * Which periods to list; null for any.
   *
   * @param state one of {@link PeriodState#shownWords}
   * @param from those that start then or later
   * @param to those that start before
   * @param attention whether to list only those that a person should look at
   */
  public record Filter(
      @Nullable BoardId board,
      @Nullable String state,
      @Nullable Instant from,
      @Nullable Instant to,
      boolean attention) {}

  /** A position in the list: the latest start first, then by board and name. */
  public record Position(Instant startsAt, String board, String name) {}

  /**
   * A period as an operator sees it.
   *
   * @param shownState the word that people are shown for its state
   * @param nextStartsAt when the board's next period starts; null if it has no row
   * @param workedOnBy the process that does; null if none does
   * @param fence counts who has worked on it
   * @param failures how often its closing has failed
   * @param failure why the last one did; null if none has
   * @param repair the rebuild of its live board that may help; null if none does
   * @param undecided the number of its undecided amendment; null if it has none
   * @param waitsSince when the result was made that a person must decide on; null if there is none
   * @param amendedBy who amends; null if it has no undecided amendment
   * @param amendedFor why
   * @param heldFor the reasons of an undecided hold; empty if there is none
   */
  public record Entry(
      PeriodId id,
      String board,
      String period,
      PeriodState state,
      String shownState,
      int revision,
      Instant startsAt,
      Instant endsAt,
      @Nullable Instant closesAt,
      @Nullable Instant nextStartsAt,
      @Nullable Long members,
      @Nullable Instant settledAt,
      @Nullable Instant expiresAt,
      @Nullable String workedOnBy,
      long fence,
      int failures,
      @Nullable Sentence failure,
      @Nullable Repair repair,
      @Nullable Instant retryAt,
      @Nullable Integer undecided,
      @Nullable Instant waitsSince,
      @Nullable String amendedBy,
      @Nullable String amendedFor,
      List<HoldReason> heldFor) {
    /** The name in messages, such as {@code invites 2026-W47}. */
    public String label() {
      return board + " " + period;
    }

    /** Why a person must decide: the reasons of a hold, or who amends and why; null for nothing. */
    public @Nullable Sentence waitsFor() {
      if (amendedBy != null && amendedFor != null) {
        return new PeriodNextSentences.AmendedBy(amendedBy, amendedFor);
      }
      return heldFor.isEmpty() ? null : new PeriodNextSentences.HeldFor(heldFor);
    }

    /**
     * Why the last closing failed: the failure, without the names of this period, so that failures
     * of one cause are equal; null if none has failed.
     */
    public @Nullable Sentence cause() {
      return failure == null
          ? null
          : Said.of(failure.code(), (Map<?, ?>) general(failure.values()), failure.code());
    }

    /** A value without the names of this period. */
    private Object general(Object value) {
      if (value instanceof Map<?, ?> values) {
        var all = new LinkedHashMap<String, @Nullable Object>();
        values.forEach(
            (name, each) -> all.put(String.valueOf(name), each == null ? null : general(each)));
        return all;
      }
      if (value instanceof List<?> values) {
        return values.stream().map(this::general).toList();
      }
      return value instanceof String text
          ? text.replace(label(), board).replace(period, "…")
          : value;
    }

    /** Eight hexadecimal digits that name the {@link #cause}; null if none has failed. */
    public @Nullable String causeCode() {
      Sentence cause = cause();
      return cause == null
          ? null
          : Sha256.of(cause.code() + cause.values()).substring(0, CAUSE_DIGITS);
    }

    /** The entry's position in the list. */
    public Position position() {
      return new Position(startsAt, board, period);
    }
  }

  /**
   * Lists periods, the latest start first.
   *
   * @param after only periods after this one, in the order of the list; null for all
   */
  public List<Entry> list(Filter filter, @Nullable Position after, int count) {
    Instant now = clock.instant();
    return entries(
            ENTRIES
                + """
                where board = coalesce(:board, board)
                  and (:state::text is null or :state = case
                    when state = 'open' and starts_at > :now then :upcoming else state end)
                  and starts_at >= coalesce(:from::timestamptz, '-infinity')
                  and starts_at < coalesce(:to::timestamptz, 'infinity')
                  and (:after::timestamptz is null
                    or starts_at < :after
                    or starts_at = :after and (board, name) > (:after_board, :after_name))
                  and %s
                order by starts_at desc, board, name
                limit :count
                """
                    .formatted(filter.attention() ? ATTENTION : "true"))
        .param("board", filter.board())
        .param("state", filter.state())
        .param("from", filter.from())
        .param("to", filter.to())
        .param("after", after == null ? null : after.startsAt())
        .param("after_board", after == null ? null : after.board())
        .param("after_name", after == null ? null : after.name())
        .param("overdue", now.minus(MAX_CLOSING_DELAY))
        .param("count", count)
        .query(Entry.class)
        .list();
  }

  /**
   * A period that a person should look at.
   *
   * @param ofBoard how many such periods its board has
   */
  public record Attention(Entry period, long ofBoard) {}

  /**
   * Lists the periods that a person should look at, by board, the latest start first.
   *
   * @param board only this board's; null for all
   * @param count the largest number of periods of each board
   */
  public List<Attention> attention(@Nullable BoardId board, int count) {
    Instant now = clock.instant();
    return entries(
            """
            select * from (
              select entry.*, count(*) over (partition by board) as of_board,
                row_number() over (partition by board order by starts_at desc, name) as n
              from (
            %s
                where period.board = coalesce(:board, period.board) and %s
              ) entry
            ) numbered
            where n <= :count
            order by board, n
            """
                .formatted(ENTRIES, ATTENTION))
        .param("board", board)
        .param("overdue", now.minus(MAX_CLOSING_DELAY))
        .param("count", count)
        .query(Attention.class)
        .list();
  }

  /**
   * Lists the latest periods of each of some boards that started before a time, by board, the
   * earliest first.
   *
   * @param count the largest number of periods of each board
   */
  public List<Entry> latest(Collection<BoardId> boards, Instant before, int count) {
    return entries(
            ENTRIES
                + """
                where period.id = any(array(
                  select latest.id
                  from unnest(:boards::text[]) as wanted (board)
                  cross join lateral (
                    select own.id from period own
                    where own.board = wanted.board and own.starts_at < :before
                    order by own.starts_at desc
                    limit :count
                  ) latest))
                order by board, starts_at, name
                """)
        .param("boards", boards)
        .param("before", before)
        .param("count", count)
        .query(Entry.class)
        .list();
  }

  /**
   * Lists the periods of some boards that started before a time and had not ended at an earlier
   * one, by board, the earliest first.
   */
  public List<Entry> between(Collection<BoardId> boards, Instant from, Instant before) {
    return entries(
            ENTRIES
                + """
                where period.id = any(array(
                  select own.id
                  from unnest(:boards::text[]) as wanted (board)
                  join period own on own.board = wanted.board
                  where own.starts_at < :before
                    and own.starts_at >= coalesce(
                      (select max(starts_at) from period
                        where board = wanted.board and starts_at <= :from),
                      '-infinity')
                    and own.ends_at > :from))
                order by board, starts_at, name
                """)
        .param("boards", boards)
        .param("from", from)
        .param("before", before)
        .query(Entry.class)
        .list();
  }

  /**
   * Locks a period against leases and changes until the transaction ends.
   *
   * @return the {@link #tag} of the period as it is now
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public String lockedTag(PeriodId id) {
    jdbc.sql("select id from period where id = :id for no key update")
        .param("id", id)
        .query(Long.class)
        .single();
    return tag(get(id));
  }

  /** One period. */
  public Entry get(PeriodId id) {
    return entries(ENTRIES + "where id = :id").param("id", id).query(Entry.class).single();
  }

  /** What a person must do next, or what happens without one; null for nothing. */
  public @Nullable Sentence next(Entry period) {
    return switch (period.state()) {
      case HELD -> new PeriodNextSentences.Decide();
      case REJECTED -> new PeriodNextSentences.Restart();
      case SETTLED, EXPIRED ->
          period.undecided() == null
              ? null
              : new PeriodNextSentences.DecideRevision(period.undecided());
      case OPEN, SEALED, FILLED, APPROVED -> unsettled(period);
    };
  }

  private @Nullable Sentence unsettled(Entry period) {
    Instant retryAt = period.retryAt();
    if (period.failures() > 0 && retryAt != null) {
      return new PeriodNextSentences.Repair(retryAt.atZone(ZoneOffset.UTC));
    }
    Instant closesAt = period.closesAt();
    if (closesAt == null) {
      return null;
    }
    return clock.instant().isBefore(closesAt)
        ? new PeriodNextSentences.Closes(closesAt.atZone(ZoneOffset.UTC))
        : period.workedOnBy() == null
            ? new PeriodNextSentences.Due()
            : new PeriodNextSentences.BeingClosed();
  }

  /**
   * A text that changes whenever an operator's view of the period is stale. An attempt to close it
   * that failed for the same cause as the one before changes nothing that a person decides on: it
   * adds one to both fence and failures.
   */
  public String tag(Entry period) {
    return version(
            period, revisions.find(period.id(), shown(period)).map(Revision::digest).orElse(null))
        .tag();
  }

  /** The revision that a list shows of a period. */
  private static int shown(Entry period) {
    return period.undecided() == null ? period.revision() : period.undecided();
  }

  private static Version version(Entry period, @Nullable String digest) {
    String cause = period.causeCode();
    return new Version(
        period.id(),
        period.label(),
        "%s-%s-%s-%s-%s"
            .formatted(
                period.state().word(),
                shown(period),
                digest == null ? "none" : digest,
                cause == null ? "none" : cause,
                period.fence() - period.failures()));
  }

  /**
   * A period as it is at a time.
   *
   * @param version changes as the period's {@link #tag} does
   */
  public record Version(PeriodId id, String label, String version) {
    /** The period's {@link #tag}. */
    public String tag() {
      return "\"%s-%s\"".formatted(id.value(), version);
    }

    /** The label and the version, without the id, which a dry run does not keep. */
    public String line() {
      return label + " " + version;
    }
  }

  /**
   * Returns those of some periods whose last closing failed for a cause, in their order.
   *
   * @param code as in {@link Entry#causeCode}
   */
  public List<Long> failedFor(String code, List<Long> ids) {
    Set<Long> found =
        entries(ENTRIES + "where period.id = any(:ids)")
            .param("ids", ids)
            .query(Entry.class)
            .list()
            .stream()
            .filter(entry -> code.equals(entry.causeCode()))
            .map(entry -> entry.id().value())
            .collect(Collectors.toSet());
    return ids.stream().filter(found::contains).toList();
  }

  /** Returns these periods as they are now, in this order. */
  public List<Version> versions(List<PeriodId> ids) {
    Map<String, String> digests =
        revisions.all(ids).stream()
            .collect(
                Collectors.toMap(
                    revision -> revision.period() + "/" + revision.number(), Revision::digest));
    Map<PeriodId, Version> versions =
        entries(ENTRIES + "where period.id = any(:ids)")
            .param("ids", ids)
            .query(Entry.class)
            .list()
            .stream()
            .collect(
                Collectors.toMap(
                    Entry::id,
                    entry -> version(entry, digests.get(entry.id() + "/" + shown(entry)))));
    return ids.stream().map(versions::get).filter(Objects::nonNull).toList();
  }

  /** A statement that begins with {@link #ENTRIES}, with its parameters. */
  private JdbcClient.StatementSpec entries(String sql) {
    return jdbc.sql(sql).param("now", clock.instant()).param("upcoming", PeriodState.UPCOMING);
  }
}

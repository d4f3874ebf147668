package palmares.live.relay;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.BoardChange;
import palmares.live.board.BoardChange.Arrival;
import palmares.live.board.BoardChange.Worth;
import palmares.live.board.Decision;
import palmares.live.board.Event;
import palmares.live.board.LiveKeys;
import palmares.live.board.Verdict;
import palmares.period.Period;
import palmares.platform.sql.RecordMapper;
import palmares.rules.board.Action;
import palmares.rules.board.Board;

/** Reads and writes the rows of the table {@code committed_event}. */
@Component
class CommittedEventRows {
  /**
   * Numbers the events that their periods take, in their order, and inserts those whose ids are
   * new. The row of {@code relay} is locked until the commit, so that numbers ascend in the order
   * of commits.
   *
   * <p>Only periods are joined, of which there are few. A join of events with events may compare
   * each with each, as statistics know nothing of a period that has just begun.
   */
  private static final String INSERT =
      """
      with open as materialized (
        select id as period_id, closes_at from period where id = any(:open) and state = 'open'
      ),
      given as materialized (
        select
          given.*,
          open.period_id is not null
            and (arrives_any or closes_at is null or :now < closes_at) as is_open
        from unnest(
          :periods::bigint[], :ids::text[], :members::text[], :actions::text[], :subjects::text[],
          :undos::boolean[], :quantities::bigint[], :worths::bigint[], :values::bigint[],
          :thens::bigint[], :digests::text[], :times::text[], :anys::boolean[],
          :timely::boolean[]) with ordinality
          as given (
            period_id, id, member, action, subject, undo, quantity, worth, value, then_by, digest,
            occurred_at, arrives_any, is_timely, at)
        left join open using (period_id)
      ),
      counted as materialized (
        select
          *,
          sum((is_open and is_timely)::int) over (partition by period_id order by at) as place,
          sum((is_open and is_timely)::int) over (partition by period_id) as places
        from given
      ),
      reserved as (
        insert into relay as own (period_id, committed)
        select period_id, max(places)
        from counted
        where places > 0
        group by period_id
        order by period_id
        on conflict (period_id) do update set committed = own.committed + excluded.committed
        returning period_id, committed
      ),
      numbered as materialized (
        select
          counted.*,
          case when is_open and is_timely then committed - places + place else 0 end as n
        from counted
        left join reserved using (period_id)
      ),
      inserted as (
        insert into committed_event (
          period_id, n, id, member, action, subject, undo, quantity, worth, value, then_by, digest,
          occurred_at, committed_at)
        select
          period_id, n, id, member, action, subject, undo, quantity, worth, value, then_by, digest,
          occurred_at::timestamptz, :now
        from numbered
        where n > 0
        order by period_id, n
        on conflict (period_id, id) do nothing
        returning n
      )
      select n, is_open, (select count(*) from inserted) as inserted
      from numbered
      order by at
      """;

  private static final String FIND =
      """
      select period_id as period, id, n, digest, occurred_at, outcome, points, total
      from unnest(:periods::bigint[], :ids::text[]) as asked (period_id, id)
      join committed_event using (period_id, id)
      """;

  private static final String UNRELAYED =
      """
      select
        n, id, member, action, subject, undo, quantity, worth, value, then_by, digest, occurred_at,
        null as board
      from committed_event
      where period_id = :id and n > :after and outcome is null
      order by n
      limit :limit
      """;

  private final JdbcClient jdbc;

  CommittedEventRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Says what makes two events the same. */
  record EventKey(long period, String id) {
    static EventKey of(RelayedEvent event) {
      return new EventKey(event.period().value(), event.change().id());
    }
  }

  /**
   * The number of an event.
   *
   * @param n among the committed events of its period, from 1; 0 if it takes the event no more
   * @param isOpen whether the period takes events that belong to it
   * @param inserted how many events were inserted with it; those whose ids were known are not
   */
  record Numbered(long n, boolean isOpen, long inserted) {}

  /**
   * The stored decision on an event.
   *
   * @param outcome null until the event is relayed to its live board
   */
  record Stored(
      long n,
      String digest,
      Instant occurredAt,
      @Nullable Verdict outcome,
      long points,
      long total) {
    /** Returns the decision for the writer of the event, or for one who repeats it. */
    Decision decision(boolean repeated) {
      if (outcome == null) {
        return new Decision(Verdict.ACCEPTED, 0, 0, occurredAt, null);
      }
      return repeated
          ? new Decision(Verdict.DUPLICATE, points, total, occurredAt, outcome)
          : new Decision(outcome, points, total, occurredAt, null);
    }
  }

  /**
   * An event that is not relayed yet, and its number.
   *
   * @param fresh where its decision is noted; null if it was read
   */
  record Unrelayed(long n, BoardChange change, @Nullable FreshEvent fresh) {}

  /**
   * Inserts the events that their periods take, which the caller holds, and whose ids are new.
   *
   * @return the number of each
   */
  List<Numbered> insert(List<RelayedEvent> events, Instant now) {
    Instant time = now.truncatedTo(ChronoUnit.MICROS);
    var changes = events.stream().map(RelayedEvent::change).toList();
    return jdbc.sql(INSERT)
        .param("now", time)
        .param("open", events.stream().map(RelayedEvent::period).distinct().toList())
        .param("periods", column(events, RelayedEvent::period))
        .param("anys", column(changes, change -> change.arrival() == Arrival.ANY))
        .param("timely", column(events, event -> event.isTimely(now)))
        .param("ids", column(changes, BoardChange::id))
        .param("members", column(changes, change -> change.event().member()))
        .param("actions", column(changes, change -> change.action().name()))
        .param("subjects", column(changes, change -> change.event().subject()))
        .param("undos", column(changes, change -> change.event().undo()))
        .param("quantities", column(changes, change -> change.event().quantity()))
        .param("worths", column(changes, change -> change.worth().points()))
        .param("values", column(changes, change -> change.worth().value()))
        .param("thens", column(changes, change -> change.worth().thenBy()))
        .param("digests", column(changes, BoardChange::digest))
        .param("times", column(changes, CommittedEventRows::time))
        .query(Numbered.class)
        .list();
  }

  /** Returns whole microseconds, as Redis does: PostgreSQL would round. */
  private static Instant time(BoardChange change) {
    return Objects.requireNonNull(change.occurredAt()).truncatedTo(ChronoUnit.MICROS);
  }

  private static <T> List<?> column(List<T> rows, Function<T, @Nullable Object> column) {
    return rows.stream().map(column).toList();
  }

  /** Finds the stored decisions on those of the events that exist. */
  Map<EventKey, Stored> find(Collection<EventKey> keys) {
    if (keys.isEmpty()) {
      return Map.of();
    }
    return jdbc.sql(FIND)
        .param("periods", keys.stream().map(EventKey::period).toList())
        .param("ids", keys.stream().map(EventKey::id).toList())
        .query(RecordMapper.map(EventKey.class, Stored.class));
  }

  /** Returns the next events after a number that are not relayed yet, in the order of numbers. */
  List<Unrelayed> unrelayed(Period period, Board rules, long after, int limit) {
    return jdbc
        .sql(UNRELAYED)
        .param("id", period.id())
        .param("after", after)
        .param("limit", limit)
        .query(Row.class)
        .list()
        .stream()
        .map(row -> new Unrelayed(row.n(), change(row, period, rules), null))
        .toList();
  }

  /** Returns the event as {@link #unrelayed} would read it. */
  static Unrelayed unrelayed(FreshEvent fresh, Period period, Board rules) {
    BoardChange change = fresh.event().change();
    Event event = change.event();
    Worth worth = change.worth();
    var stored =
        new Event(
            event.id(),
            event.member(),
            change.action().name(),
            event.subject(),
            event.undo(),
            event.quantity(),
            worth.value(),
            worth.thenBy(),
            time(change),
            null);
    var row = new Row(fresh.n(), stored, worth.points(), change.digest());
    return new Unrelayed(fresh.n(), change(row, period, rules), fresh);
  }

  private record Row(long n, Event event, long worth, String digest) {}

  private static BoardChange change(Row row, Period period, Board rules) {
    Event event = row.event();
    Action action = rules.actions().get(event.action());
    if (action == null) {
      throw new IllegalStateException(
          "%s has committed events of the action '%s', which its rules do not count"
              .formatted(period.label(), event.action()));
    }
    Instant occurredAt = Objects.requireNonNull(event.occurredAt());
    return new BoardChange(
        LiveKeys.of(period),
        event,
        action,
        new Worth(row.worth(), event.value(), Objects.requireNonNull(event.thenBy())),
        occurredAt,
        Arrival.ANY, // it arrived when it was committed
        BoardChange.Day.of(action, occurredAt, rules),
        row.digest());
  }
}

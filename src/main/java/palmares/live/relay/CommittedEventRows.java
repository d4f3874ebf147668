package palmares.live.relay;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
  private static final String INSERT =
      """
      insert into committed_event (
        period_id, n, id, member, action, subject, undo, quantity, worth, value, then_by, digest,
        occurred_at, committed_at)
      select
        period_id, n, id, member, action, subject, undo, quantity, worth, value, then_by, digest,
        occurred_at::timestamptz, :now
      from unnest(
        :periods::bigint[], :numbers::bigint[], :ids::text[], :members::text[], :actions::text[],
        :subjects::text[], :undos::boolean[], :quantities::bigint[], :worths::bigint[],
        :values::bigint[], :thens::bigint[], :digests::text[], :times::text[])
        as given (
          period_id, n, id, member, action, subject, undo, quantity, worth, value, then_by, digest,
          occurred_at)
      order by period_id, n
      on conflict (period_id, id) do nothing
      returning period_id as period, n
      """;

  private static final String FIND =
      """
      select period_id as period, id, digest, occurred_at, outcome, points, total
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

  record RowKey(long period, long n) {}

  /** Says what makes two events the same. */
  record EventKey(long period, String id) {
    static EventKey of(RelayedEvent event) {
      return new EventKey(event.period().value(), event.change().id());
    }
  }

  /**
   * An event with its number among the committed events of its period.
   *
   * @param n from 1; 0 if the period takes no more events
   */
  record NumberedEvent(RelayedEvent event, long n) {
    RowKey rowKey() {
      return new RowKey(event.period().value(), n);
    }

    EventKey eventKey() {
      return EventKey.of(event);
    }
  }

  /**
   * The stored decision on an event.
   *
   * @param outcome null until the event is relayed to its live board
   */
  record Stored(
      String digest, Instant occurredAt, @Nullable Verdict outcome, long points, long total) {
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

  /** An event that is not relayed yet, and its number. */
  record Unrelayed(long n, BoardChange change) {}

  /** Inserts events whose ids are new, and returns the keys of the inserted rows. */
  Set<RowKey> insert(List<NumberedEvent> events, Instant now) {
    if (events.isEmpty()) {
      return Set.of();
    }
    var changes = events.stream().map(numbered -> numbered.event().change()).toList();
    return jdbc.sql(INSERT)
        .param("now", now)
        .param("periods", column(events, numbered -> numbered.event().period()))
        .param("numbers", column(events, NumberedEvent::n))
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
        .query(RowKey.class)
        .set();
  }

  /** Returns whole microseconds, as Redis does: PostgreSQL would round. */
  private static String time(BoardChange change) {
    return Objects.requireNonNull(change.occurredAt()).truncatedTo(ChronoUnit.MICROS).toString();
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
        .map(row -> new Unrelayed(row.n(), change(row, period, rules)))
        .toList();
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

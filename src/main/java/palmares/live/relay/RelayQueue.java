package palmares.live.relay;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.live.board.BoardChange;
import palmares.live.board.BoardChange.Arrival;
import palmares.live.board.BoardChange.Worth;
import palmares.live.board.Decision;
import palmares.live.board.LiveKeys;
import palmares.live.board.Verdict;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;

/** What was committed and not relayed yet. */
@Component
class RelayQueue {
  private static final int BATCH = 1_000;

  /** Keeps the relay's locks apart from whatever else may be locked by number. */
  private static final int LOCK = 0x72656c61;

  private final JdbcClient jdbc;

  RelayQueue(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** An event that waits, and its number. */
  record Waiting(long n, BoardChange change) {}

  /**
   * The first events that wait.
   *
   * @param end once they are relayed, everything is up to this number
   */
  record Batch(List<Waiting> events, long end) {}

  boolean isKnown(PeriodId period) {
    return jdbc.sql("select exists (select from relay where period_id = :id)")
        .param("id", period.value())
        .query(Boolean.class)
        .single();
  }

  boolean isBehind(PeriodId period) {
    return jdbc.sql(
            "select exists (select from relay where period_id = :id and relayed < committed)")
        .param("id", period.value())
        .query(Boolean.class)
        .single();
  }

  /** How many events wait; numbers that were left out are counted too. */
  long length() {
    return jdbc.sql("select coalesce(sum(committed - relayed), 0) from relay")
        .query(Long.class)
        .single();
  }

  List<PeriodId> behind() {
    return jdbc.sql("select period_id from relay where relayed < committed order by period_id")
        .query((row, n) -> new PeriodId(row.getLong(1)))
        .list();
  }

  /** Keeps every other relayer away from the period until the transaction ends. */
  @Transactional(propagation = Propagation.MANDATORY)
  void lock(PeriodId period) {
    jdbc.sql("select pg_advisory_xact_lock(:lock, :id::int)")
        .param("lock", LOCK)
        .param("id", period.value())
        .query(row -> {});
  }

  /** As {@link #lock}, but fails within seconds if somebody else keeps it. */
  @Transactional(propagation = Propagation.MANDATORY)
  void lockSoon(PeriodId period) {
    jdbc.sql("set local lock_timeout = '2s'").update();
    lock(period);
  }

  Batch next(Period period, Board rules) {
    // Read before the events: whatever is committed by then is among them.
    record Reach(long committed, long relayed) {}
    Reach reach =
        jdbc.sql("select committed, relayed from relay where period_id = :id")
            .param("id", period.id().value())
            .query(Reach.class)
            .single();
    List<Waiting> events =
        jdbc.sql(
                """
                select
                  n, id, member, action, subject, undo, quantity, worth, value, then_by, digest,
                  occurred_at
                from committed_event
                where period_id = :id and n > :relayed and outcome is null
                order by n
                limit :batch
                """)
            .param("id", period.id().value())
            .param("relayed", reach.relayed())
            .param("batch", BATCH)
            .query((row, n) -> waiting(row, period, rules))
            .list();
    long last = events.isEmpty() ? 0 : events.get(events.size() - 1).n();
    return new Batch(events, events.size() < BATCH ? Math.max(last, reach.committed()) : last);
  }

  private static Waiting waiting(ResultSet row, Period period, Board rules) throws SQLException {
    String name = row.getString("action");
    Action action = rules.actions().get(name);
    if (action == null) {
      throw new IllegalStateException(
          "%s does not count '%s' any more, of which it has committed events"
              .formatted(period.label(), name));
    }
    Instant occurredAt = row.getObject("occurred_at", OffsetDateTime.class).toInstant();
    return new Waiting(
        row.getLong("n"),
        new BoardChange(
            new LiveKeys(period.board(), period.name()),
            row.getString("id"),
            new MemberId(row.getString("member")),
            action,
            row.getString("subject"),
            row.getBoolean("undo"),
            row.getLong("quantity"),
            new Worth(
                row.getLong("worth"), row.getObject("value", Long.class), row.getLong("then_by")),
            occurredAt,
            Arrival.ANY, // it arrived when it was committed
            action.goesByDay() ? BoardChange.Day.of(occurredAt, rules.zone()) : null,
            row.getString("digest")));
  }

  /** Notes what became of the first events of a batch, and how far the relay has come by that. */
  @Transactional(propagation = Propagation.MANDATORY)
  void settle(Period period, Batch batch, List<Decision> decisions) {
    List<Waiting> relayed = batch.events().subList(0, decisions.size());
    lockNumbers(period.id());
    jdbc.sql(
            """
            update committed_event
            set outcome = done.outcome, points = done.points, total = done.total
            from unnest(
              :numbers::bigint[], :outcomes::text[], :points::bigint[], :totals::bigint[])
              as done (n, outcome, points, total)
            where period_id = :id and committed_event.n = done.n
            """)
        .param("id", period.id().value())
        .param("numbers", relayed.stream().map(Waiting::n).toArray(Long[]::new))
        .param(
            "outcomes",
            decisions.stream()
                .map(decision -> decision.originalVerdict().word())
                .toArray(String[]::new))
        .param("points", decisions.stream().map(Decision::change).toArray(Long[]::new))
        .param("totals", decisions.stream().map(Decision::points).toArray(Long[]::new))
        .update();
    boolean whole = relayed.size() == batch.events().size();
    if (whole || !relayed.isEmpty()) {
      jdbc.sql("update relay set relayed = :end where period_id = :id")
          .param("end", whole ? batch.end() : relayed.get(relayed.size() - 1).n())
          .param("id", period.id().value())
          .update();
    }
  }

  /**
   * Who commits events takes the row of their numbers before it writes them. In any other order it
   * and the relay would wait for each other where an event is repeated.
   */
  private void lockNumbers(PeriodId period) {
    jdbc.sql("select from relay where period_id = :id for no key update")
        .param("id", period.value())
        .query(row -> {});
  }

  /** Lets everything wait again that the live board decided and the journal does not have. */
  @Transactional(propagation = Propagation.MANDATORY)
  void again(PeriodId period) {
    lockNumbers(period);
    jdbc.sql(
            """
            with lost as (
              update committed_event
              set outcome = null, points = null, total = null
              where period_id = :id
                and outcome = any(:kept)
                and not exists (
                  select from event
                  where event.period_id = committed_event.period_id
                    and event.id = committed_event.id)
              returning n
            )
            update relay
            set relayed = least(relayed, (select min(n) - 1 from lost))
            where period_id = :id and exists (select from lost)
            """)
        .param("id", period.value())
        .param(
            "kept",
            Arrays.stream(Verdict.values())
                .filter(Verdict::isKept)
                .map(Verdict::word)
                .toArray(String[]::new))
        .update();
  }
}

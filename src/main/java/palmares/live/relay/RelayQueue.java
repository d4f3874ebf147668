package palmares.live.relay;

import java.util.Arrays;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.live.board.Decision;
import palmares.live.board.Verdict;
import palmares.live.relay.CommittedEventRows.Unrelayed;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.rules.board.Board;

/** Keeps how far each period's committed events are relayed (table {@code relay}). */
@Component
class RelayQueue {
  private static final int BATCH_EVENTS = 1_000;

  /** The first key of the relay's advisory locks; the second is the period's id. */
  private static final int LOCK_KEY = 0x72656c61;

  private final JdbcClient jdbc;
  private final CommittedEventRows rows;

  RelayQueue(JdbcClient jdbc, CommittedEventRows rows) {
    this.jdbc = jdbc;
    this.rows = rows;
  }

  /**
   * The next events to be relayed.
   *
   * @param end the number up to which everything is relayed once these are
   */
  record Batch(List<Unrelayed> events, long end) {}

  boolean isKnown(PeriodId period) {
    return jdbc.sql("select exists (select from relay where period_id = :id)")
        .param("id", period)
        .query(Boolean.class)
        .single();
  }

  boolean isBehind(PeriodId period) {
    return jdbc.sql(
            "select exists (select from relay where period_id = :id and relayed < committed)")
        .param("id", period)
        .query(Boolean.class)
        .single();
  }

  /** Counts the numbers that are not relayed yet; unused numbers count too. */
  long length() {
    return jdbc.sql("select coalesce(sum(committed - relayed), 0) from relay")
        .query(Long.class)
        .single();
  }

  List<PeriodId> periodsBehind() {
    return jdbc.sql("select period_id from relay where relayed < committed order by period_id")
        .query(PeriodId.class)
        .list();
  }

  /** Locks the period against other relayers until the transaction ends. */
  @Transactional(propagation = Propagation.MANDATORY)
  void lock(PeriodId period) {
    jdbc.sql("select pg_advisory_xact_lock(:lock, :id::int)")
        .param("lock", LOCK_KEY)
        .param("id", period)
        .query(row -> {});
  }

  /** Locks the period as {@link #lock} does; fails after two seconds if another one holds it. */
  @Transactional(propagation = Propagation.MANDATORY)
  void lockOrFail(PeriodId period) {
    jdbc.sql("set local lock_timeout = '2s'").update();
    lock(period);
  }

  Batch next(Period period, Board rules) {
    // Read before the events, so that all events up to "committed" are visible.
    record Numbers(long committed, long relayed) {}
    Numbers numbers =
        jdbc.sql("select committed, relayed from relay where period_id = :id")
            .param("id", period.id())
            .query(Numbers.class)
            .single();
    List<Unrelayed> events = rows.unrelayed(period, rules, numbers.relayed(), BATCH_EVENTS);
    long last = events.isEmpty() ? 0 : events.get(events.size() - 1).n();
    return new Batch(
        events, events.size() < BATCH_EVENTS ? Math.max(last, numbers.committed()) : last);
  }

  /** Stores the decisions on the first events of a batch, and how far the relay has come. */
  @Transactional(propagation = Propagation.MANDATORY)
  void store(Period period, Batch batch, List<Decision> decisions) {
    List<Unrelayed> relayed = batch.events().subList(0, decisions.size());
    lockNumbers(period.id());
    jdbc.sql(
            """
            update committed_event
            set outcome = done.outcome, points = done.points, total = done.total
            from unnest(
              :numbers::bigint[], :outcomes::text[], :points::bigint[], :totals::bigint[])
              as done (n, outcome, points, total)
            where period_id = :id
              and committed_event.n between :first and :last -- finds them in any plan
              and committed_event.n = done.n
            """)
        .param("id", period.id())
        .param("first", relayed.isEmpty() ? 0 : relayed.get(0).n())
        .param("last", relayed.isEmpty() ? 0 : relayed.get(relayed.size() - 1).n())
        .param("numbers", relayed.stream().map(Unrelayed::n).toList())
        .param(
            "outcomes",
            decisions.stream().map(decision -> decision.originalVerdict().word()).toList())
        .param("points", decisions.stream().map(Decision::change).toList())
        .param("totals", decisions.stream().map(Decision::points).toList())
        .update();
    boolean whole = relayed.size() == batch.events().size();
    if (whole || !relayed.isEmpty()) {
      jdbc.sql("update relay set relayed = :end where period_id = :id")
          .param("end", whole ? batch.end() : relayed.get(relayed.size() - 1).n())
          .param("id", period.id())
          .update();
    }
  }

  /**
   * Locks the period's numbers before its events, as a writer of events does. In another order, the
   * two could deadlock on a repeated event.
   */
  private void lockNumbers(PeriodId period) {
    jdbc.sql("select from relay where period_id = :id for no key update")
        .param("id", period)
        .query(row -> {});
  }

  /**
   * Marks events as not relayed if the live board decided them and the journal lacks them.
   *
   * <p>{@code offset 0} has each event looked up by its id. A join may read all events of the
   * period for each, as statistics know nothing of a period that has just begun.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  void markMissing(PeriodId period) {
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
                    and event.id = committed_event.id
                  offset 0)
              returning n
            )
            update relay
            set relayed = least(relayed, (select min(n) - 1 from lost))
            where period_id = :id and exists (select from lost)
            """)
        .param("id", period)
        .param(
            "kept",
            Arrays.stream(Verdict.values()).filter(Verdict::isKept).map(Verdict::word).toList())
        .update();
  }
}

package palmares.live.relay;

import java.util.ArrayList;
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

/** Keeps how far each period's committed events are relayed (table {@code relay_position}). */
@Component
class RelayQueue {
  private static final int BATCH_EVENTS = 1_000;

  /** The first key of the relay's advisory locks; the second is the period's id. */
  private static final int LOCK_KEY = 0x72656c61;

  /** The periods with events that are not relayed yet. */
  private static final String BEHIND =
      """
      from relay
      left join relay_position using (period_id)
      where committed > coalesce(relayed, 0)
      """;

  /**
   * Locks the position before the events, as each statement does that writes outcomes. In another
   * order, two of them could deadlock. The numbers of commits are not locked: a commit that repeats
   * an event waits for this, and so do all that wait for it.
   */
  private static final String STORE =
      """
      with position as (
        insert into relay_position as own (period_id, relayed)
        values (:id, :end)
        on conflict (period_id) do update set relayed = excluded.relayed
        returning period_id
      )
      update committed_event
      set outcome = done.outcome, points = done.points, total = done.total
      from unnest(
        :numbers::bigint[], :ids::text[], :digests::text[], :outcomes::text[],
        :points::bigint[], :totals::bigint[])
        as done (n, id, digest, outcome, points, total)
      where period_id = :id
        and exists (select from position)
        and committed_event.n between :first and :last -- finds them in any plan
        and committed_event.n = done.n
        and committed_event.id = done.id
        and committed_event.digest = done.digest
      """;

  private final JdbcClient jdbc;
  private final CommittedEventRows rows;

  RelayQueue(JdbcClient jdbc, CommittedEventRows rows) {
    this.jdbc = jdbc;
    this.rows = rows;
  }

  /**
   * The next events to be relayed.
   *
   * @param relayed the number up to which everything is relayed
   * @param end the number up to which everything is relayed once these are
   * @param isLast whether no more events were committed
   */
  record Batch(List<Unrelayed> events, long relayed, long end, boolean isLast) {}

  boolean isKnown(PeriodId period) {
    return jdbc.sql("select exists (select from relay where period_id = :id)")
        .param("id", period)
        .query(Boolean.class)
        .single();
  }

  boolean isBehind(PeriodId period) {
    return jdbc.sql("select exists (select %s and period_id = :id)".formatted(BEHIND))
        .param("id", period)
        .query(Boolean.class)
        .single();
  }

  /** Counts the numbers that are not relayed yet; unused numbers count too. */
  long length() {
    return jdbc.sql("select coalesce(sum(committed - coalesce(relayed, 0)), 0) " + BEHIND)
        .query(Long.class)
        .single();
  }

  List<PeriodId> periodsBehind() {
    return jdbc.sql("select period_id %s order by period_id".formatted(BEHIND))
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

  /**
   * Locks the period as {@link #lock} does, for a transaction that only relays. It fails after two
   * seconds if another one holds the period. Its commit does not wait for the disk, unless {@link
   * #store} requires it: if PostgreSQL dies and forgets it, the events are relayed again, and the
   * live board or the journal repeats the decisions. A later commit that waits for the disk, such
   * as a seal, makes it durable too.
   *
   * <p>Without nested loops, which would compare each event with each decision: statistics know
   * nothing of a period that has just begun. PostgreSQL before 18 takes a loop that it cannot avoid
   * for so much work that it would compile it.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  void lockBriefly(PeriodId period) {
    jdbc.sql(
            """
            with local as materialized (
              select set_config('lock_timeout', '2s', true),
                set_config('synchronous_commit', 'off', true),
                set_config('enable_nestloop', 'off', true),
                set_config('jit', 'off', true)
            )
            select pg_advisory_xact_lock(:lock, :id::int) from local
            """)
        .param("lock", LOCK_KEY)
        .param("id", period)
        .query(row -> {});
  }

  /** How far commits and the relay are. */
  private record Numbers(long committed, long relayed) {}

  /**
   * Finds the next events. Those that this process has just committed need not be read if they
   * follow what is relayed: numbers have no gap between them that other events could be in.
   *
   * @param fresh in the order of numbers
   */
  Batch next(Period period, Board rules, List<FreshEvent> fresh) {
    // Read before the events, so that all events up to "committed" are visible.
    Numbers numbers =
        jdbc.sql(
                """
                select
                  coalesce((select committed from relay where period_id = :id), 0) as committed,
                  coalesce((select relayed from relay_position where period_id = :id), 0)
                    as relayed
                """)
            .param("id", period.id())
            .query(Numbers.class)
            .single();
    List<Unrelayed> following = following(numbers, period, rules, fresh);
    if (!following.isEmpty()) {
      return batch(following, numbers, following.get(following.size() - 1).n());
    }
    List<Unrelayed> events = rows.unrelayed(period, rules, numbers.relayed(), BATCH_EVENTS);
    long last = events.isEmpty() ? 0 : events.get(events.size() - 1).n();
    return batch(
        events, numbers, events.size() < BATCH_EVENTS ? Math.max(last, numbers.committed()) : last);
  }

  private static Batch batch(List<Unrelayed> events, Numbers numbers, long end) {
    return new Batch(events, numbers.relayed(), end, end >= numbers.committed());
  }

  private static List<Unrelayed> following(
      Numbers numbers, Period period, Board rules, List<FreshEvent> fresh) {
    var events = new ArrayList<Unrelayed>();
    for (FreshEvent event : fresh) {
      if (event.n() == numbers.relayed() + events.size() + 1 && events.size() < BATCH_EVENTS) {
        events.add(CommittedEventRows.unrelayed(event, period, rules));
      }
    }
    return events;
  }

  /**
   * Stores the decisions on the first events of a batch, and how far the relay has come. If one is
   * final although neither the live board nor the journal keeps it, the commit waits for the disk:
   * nothing could repeat it, and the event might count after it was refused.
   *
   * @throws EventsGone if PostgreSQL does not have the events under these numbers
   */
  @Transactional(propagation = Propagation.MANDATORY)
  void store(Period period, Batch batch, List<Decision> decisions) {
    List<Unrelayed> relayed = batch.events().subList(0, decisions.size());
    boolean whole = relayed.size() == batch.events().size();
    long end =
        whole
            ? batch.end()
            : relayed.isEmpty() ? batch.relayed() : relayed.get(relayed.size() - 1).n();
    if (end == batch.relayed()) {
      return;
    }
    if (decisions.stream().anyMatch(RelayQueue::isKeptHereOnly)) {
      jdbc.sql("set local synchronous_commit to default").update();
    }
    int stored =
        jdbc.sql(STORE)
            .param("id", period.id())
            .param("ids", relayed.stream().map(event -> event.change().id()).toList())
            .param("digests", relayed.stream().map(event -> event.change().digest()).toList())
            .param("end", end)
            .param("first", relayed.isEmpty() ? 0 : relayed.get(0).n())
            .param("last", relayed.isEmpty() ? 0 : relayed.get(relayed.size() - 1).n())
            .param("numbers", relayed.stream().map(Unrelayed::n).toList())
            .param(
                "outcomes",
                decisions.stream().map(decision -> decision.originalVerdict().word()).toList())
            .param("points", decisions.stream().map(Decision::change).toList())
            .param("totals", decisions.stream().map(Decision::points).toList())
            .update();
    if (stored != relayed.size()) {
      throw new EventsGone(period, relayed.size(), stored);
    }
  }

  private static boolean isKeptHereOnly(Decision decision) {
    return decision.originalVerdict().isFinalOutsideJournal();
  }

  /**
   * Reports that PostgreSQL lacks events that were committed: a standby that lacks them was
   * promoted. Other events may have their numbers.
   */
  static final class EventsGone extends RuntimeException {
    EventsGone(Period period, int relayed, int stored) {
      super(
          "PostgreSQL has %d of %d committed events of %s: it went back"
              .formatted(stored, relayed, period.label()));
    }
  }

  /**
   * Marks events as not relayed if the live board decided them and the journal lacks them.
   *
   * <p>{@code offset 0} has each event looked up by its id. A join may read all events of the
   * period for each, as statistics know nothing of a period that has just begun.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  void markMissing(PeriodId period) {
    // As store does it.
    jdbc.sql("select from relay_position where period_id = :id for no key update")
        .param("id", period)
        .query(row -> {});
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
            update relay_position
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

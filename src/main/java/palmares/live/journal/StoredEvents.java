package palmares.live.journal;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.BoardChange;
import palmares.live.board.Decision;
import palmares.live.board.JournalEntry;
import palmares.live.board.LiveBoards.StoredDecisions;
import palmares.live.board.LiveEntry;
import palmares.live.board.LiveKeys;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.platform.bulk.BinaryRows;
import palmares.platform.bulk.BulkLoad;
import palmares.platform.sql.RecordMapper;
import palmares.rules.board.Action;
import palmares.rules.board.Board;

/**
 * Reads and writes the journal in PostgreSQL: the decided events of each period, by number and id.
 *
 * <p>{@code offset 0} has each event looked up by its id or member. A join may read all events of
 * the period for each, as statistics know nothing of a period that has just begun.
 */
@Component
public class StoredEvents implements StoredDecisions.Journals {
  private static final String EVENT =
      "event (period_id, seq, id, member, action, subject, outcome, quantity, points, occurred_at,"
          + " value, then_by, digest)";

  private static final int FIELDS = 13;

  private static final String RESTORE_COMMITTED =
      """
      with added as (
        select
          event.*, asked.total, asked.worth, row_number() over (order by asked.seq) as n
        from unnest(:seqs::bigint[], :totals::bigint[], :worths::bigint[])
          as asked (seq, total, worth)
        join event
          on event.period_id = :period
          and event.seq between :first and :last
          and event.seq = asked.seq
        left join lateral (
          select id, occurred_at from committed_event
          where committed_event.period_id = event.period_id and committed_event.id = event.id
          offset 0
        ) known on true
        where event.outcome <> 'discarded'
          and (known.id is null or known.occurred_at <> event.occurred_at)
      ),
      held as (
        -- Before the events, as the relay does: in another order, the two could deadlock.
        insert into relay_position as own (period_id, relayed)
        select :period, 0 where exists (select from added)
        on conflict (period_id) do update set relayed = own.relayed
        returning period_id
      ),
      numbered as (
        insert into relay (period_id, committed)
        select :period, count(*)
        from added
        having count(*) > 0
        on conflict (period_id) do update
        set committed = relay.committed + excluded.committed
        returning committed
      )
      insert into committed_event (
        period_id, n, id, member, action, subject, undo, quantity, worth, value, then_by,
        digest, occurred_at, committed_at, outcome, points, total)
      select
        period_id, numbered.committed - count(*) over () + n, id, member, action, subject,
        outcome in ('undone', 'nothing-to-undo'), quantity, worth, value,
        case when outcome = 'undone' then 0 else then_by end,
        digest, occurred_at, :now, outcome, points, total
      from added
      cross join numbered
      where (select count(*) from held) >= 0
      on conflict (period_id, id) do update
      set occurred_at = excluded.occurred_at, outcome = excluded.outcome,
        points = excluded.points, total = excluded.total
      where committed_event.digest = excluded.digest
      """;

  private final JdbcClient jdbc;
  private final BulkLoad bulk;
  private final Clock clock;

  StoredEvents(JdbcClient jdbc, BulkLoad bulk, Clock clock) {
    this.clock = clock;
    this.jdbc = jdbc;
    this.bulk = bulk;
  }

  /** The identity of an event in a period; the digest distinguishes a repeat from a conflict. */
  public record Key(PeriodId period, String event, String digest) {}

  /** Returns the next events after a number. */
  public List<LiveEntry> after(PeriodId period, long seq, int count) {
    return jdbc.sql(
            """
            select
              seq, id, member, action, subject, outcome, quantity, points, value, then_by, digest,
              occurred_at
            from event
            where period_id = :period and seq > :seq
            order by seq
            limit :count
            """)
        .param("period", period)
        .param("seq", seq)
        .param("count", count)
        .query(LiveEntry.class)
        .list();
  }

  /** Returns the ids of the events after {@code from} and up to {@code to}. */
  List<String> ids(PeriodId period, long from, long to) {
    return jdbc.sql("select id from event where period_id = :period and seq > :from and seq <= :to")
        .param("period", period)
        .param("from", from)
        .param("to", to)
        .query(String.class)
        .list();
  }

  /** Returns those of the ids that no stored or committed event of the period has. */
  public List<String> lacking(PeriodId period, List<String> ids) {
    return jdbc.sql(
            """
            select id
            from unnest(:ids::text[]) as asked (id)
            where not exists (
                select from event where event.period_id = :period and event.id = asked.id offset 0)
              and not exists (
                select from committed_event
                where committed_event.period_id = :period and committed_event.id = asked.id
                offset 0)
            """)
        .param("period", period)
        .param("ids", ids)
        .query(String.class)
        .list();
  }

  /**
   * Whether an event with this id counted in a period that ended in the 32 days before this one.
   */
  public boolean hadBefore(Period period, String id) {
    return jdbc.sql(
            """
            select exists (
              select from period
              join event on period_id = period.id and event.id = :id
              where board = :board
                and ends_at <= :starts
                and ends_at > :starts - interval '32 days')
            """)
        .param("id", id)
        .param("board", period.board())
        .param("starts", period.slot().startsAt())
        .query(Boolean.class)
        .single();
  }

  /** Returns those of the members that no event of the period puts on a board. */
  public Set<String> withoutEvents(PeriodId period, List<String> members) {
    return Set.copyOf(
        jdbc.sql(
                """
                select member
                from unnest(:members::text[]) as asked (member)
                where not exists (
                  select from event
                  where event.period_id = :period
                    and event.member = asked.member
                    and outcome in ('applied', 'undone', 'unchanged')
                  offset 0)
                """)
            .param("period", period)
            .param("members", members)
            .query(String.class)
            .list());
  }

  @Override
  public StoredDecisions search(List<BoardChange> changes) {
    record Position(long id, long drained) {}
    LiveKeys board = changes.get(0).keys();
    // Read before the search, so that it finds every event up to the position.
    Position position =
        jdbc.sql(
                """
                select id, coalesce(drained, 0) as drained
                from period
                left join journal_position on period_id = id
                where board = :board and name = :period
                """)
            .param("board", board.board())
            .param("period", board.period())
            .query(Position.class)
            .single();
    var period = new PeriodId(position.id());
    var keys =
        changes.stream().map(change -> new Key(period, change.id(), change.digest())).toList();
    Map<Key, Decision> found = find(keys);
    return new StoredDecisions(
        position.drained(), keys.stream().map(key -> Optional.ofNullable(found.get(key))).toList());
  }

  /** Finds the stored ones of these events; the decisions are duplicates or conflicts. */
  public Map<Key, Decision> find(Collection<Key> events) {
    if (events.isEmpty()) {
      return Map.of();
    }
    return jdbc.sql(
            """
            select
              event.period_id as period,
              event.id as event,
              asked.digest,
              case when event.digest is null or event.digest = asked.digest
                then 'duplicate' else 'conflict' end as verdict,
              event.points as change,
              0 as points,
              event.occurred_at,
              event.outcome as first
            from unnest(:periods::bigint[], :ids::text[], :digests::text[])
              as asked (period_id, id, digest)
            join event using (period_id, id)
            """)
        .param("periods", events.stream().map(Key::period).toList())
        .param("ids", events.stream().map(Key::event).toList())
        .param("digests", events.stream().map(Key::digest).toList())
        .query(RecordMapper.map(Key.class, Decision.class));
  }

  /**
   * Adds events and their hashes to the journal and its checksum, in the caller's transaction. The
   * invites of members who did what may qualify them are judged next.
   *
   * @throws org.springframework.dao.DataIntegrityViolationException if PostgreSQL refuses one
   */
  void add(PeriodId period, List<LiveEntry> events) {
    if (events.isEmpty()) {
      return;
    }
    bulk.stream(EVENT, sink -> write(new BinaryRows(FIELDS, sink), period, events));
    jdbc.sql(
            """
            with due as (
              insert into invite_due (newcomer)
              select distinct newcomer
              from event
              join invite_credit on newcomer = member and event_action = event.action
              where event.period_id = :period
                and seq = any(:seqs)
                and event_board = (select board from period where id = :period)
                and exists (
                  select from invite_credit
                  where event_board = (select board from period where id = :period))
              order by newcomer
              on conflict (newcomer) do update set mark = default
            )
            update journal_position
            set checksum = checksum + (
              select sum(event_hash(event)) from event
              where event.period_id = :period and seq = any(:seqs))
            where period_id = :period
            """)
        .param("period", period)
        .param("seqs", events.stream().map(LiveEntry::seq).toList())
        .update();
  }

  /** Removes an event and its hash, if there is one, in the caller's transaction. */
  void remove(PeriodId period, long seq) {
    jdbc.sql(
            """
            with removed as (
              delete from event where period_id = :period and seq = :seq
              returning event_hash(event) as hash, member
            ),
            due as (
              insert into invite_due (newcomer)
              select distinct newcomer from removed join invite_credit on newcomer = member
              on conflict (newcomer) do update set mark = default
            )
            update journal_position
            set checksum = checksum - hash
            from removed
            where period_id = :period
            """)
        .param("period", period)
        .param("seq", seq)
        .update();
  }

  /**
   * Adds committed events that PostgreSQL has forgotten and their live board has decided, with new
   * numbers, in the caller's transaction. A repeat that was committed since gets the time by which
   * the first one counted.
   *
   * @param entries those that were added
   */
  void restoreCommitted(PeriodId period, Board rules, List<JournalEntry> entries) {
    boolean adds = !rules.scale().scoring().takesValues();
    jdbc.sql(RESTORE_COMMITTED)
        .param("period", period)
        .param("first", entries.get(0).seq())
        .param("last", entries.get(entries.size() - 1).seq())
        .param("seqs", entries.stream().map(JournalEntry::seq).toList())
        .param("totals", entries.stream().map(JournalEntry::total).toList())
        .param(
            "worths",
            entries.stream().map(entry -> adds ? worth(rules, entry.decode()) : 0).toList())
        .param("now", clock.instant())
        .update();
  }

  private static long worth(Board rules, LiveEntry event) {
    Action action = rules.actions().get(event.action());
    return action == null ? 0 : Math.multiplyExact(action.points(), event.quantity());
  }

  private static void write(BinaryRows rows, PeriodId period, List<LiveEntry> events) {
    for (LiveEntry event : events) {
      rows.row()
          .int8(period.value())
          .int8(event.seq())
          .text(event.id())
          .text(event.member())
          .text(event.action())
          .text(event.subject())
          .text(event.outcome().word())
          .int8(event.quantity())
          .int8(event.points())
          .time(event.occurredAt())
          .int8OrNull(event.value())
          .int8(event.thenBy())
          .text(event.digest());
    }
    rows.finish();
  }
}

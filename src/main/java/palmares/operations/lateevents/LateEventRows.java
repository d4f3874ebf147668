package palmares.operations.lateevents;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.lateevents.LateEvent.Decision;
import palmares.operations.lateevents.LateEventReview.AcceptedEvents;
import palmares.operations.lateevents.LateEventReview.Position;
import palmares.operations.lateevents.LateEventReview.UndecidedEvents;
import palmares.period.Period;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Reads late events, and writes the decisions on them. */
@Component
class LateEventRows {
  private static final String COLUMNS =
      """
      select
        board, period, id, member, action, subject, undo, quantity, value, then_by, occurred_at,
        arrived_at, verdict, decided_by as by, decided_at as at, verdict_reason as reason
      from late_event
      """;

  private final JdbcClient jdbc;

  LateEventRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Late events in order of board, period and arrival.
   *
   * @param board only this board's; null for all
   * @param period only that period's; null for all
   * @param after only those after this one, in that order; null for all
   */
  List<LateEvent> all(
      @Nullable String board,
      @Nullable String period,
      boolean undecided,
      @Nullable Position after,
      int most) {
    return jdbc.sql(
            COLUMNS
                + """
                where board = coalesce(:board, board)
                  and period = coalesce(:period, period)
                  and (not :undecided or verdict is null)
                  and (:after_board::text is null
                    or (board, period, arrived_at, id)
                      > (:after_board, :after_period, :after_arrival::timestamptz, :after_id))
                order by board, period, arrived_at, id
                limit :most
                """)
        .param("board", board)
        .param("period", period)
        .param("undecided", undecided)
        .param("after_board", after == null ? null : after.board())
        .param("after_period", after == null ? null : after.period())
        .param("after_arrival", after == null ? null : after.arrivedAt())
        .param("after_id", after == null ? null : after.id())
        .param("most", most)
        .query(LateEvent.class)
        .list();
  }

  long count(@Nullable String board, @Nullable String period, boolean undecided) {
    return jdbc.sql(
            """
            select count(*) from late_event
            where board = coalesce(:board, board)
              and period = coalesce(:period, period)
              and (not :undecided or verdict is null)
            """)
        .param("board", board)
        .param("period", period)
        .param("undecided", undecided)
        .query(Long.class)
        .single();
  }

  /** The late events without a decision, by board and period. */
  List<UndecidedEvents> undecided() {
    return jdbc.sql(
            """
            select board, period, count(*) as events, min(arrived_at) as since,
              exists (
                select from period
                where period.board = late_event.board and period.name = late_event.period
              ) as opened
            from late_event
            where verdict is null
            group by board, period
            order by board, period
            """)
        .query(UndecidedEvents.class)
        .list();
  }

  /** The accepted late events that no posted or undecided revision counts, by board and period. */
  List<AcceptedEvents> acceptedAndUncounted() {
    return jdbc.sql(
            """
            select board, period, count(*) as events, min(decided_at) as since,
              exists (
                select from revision
                join period on period.id = revision.period_id
                where period.board = late_event.board
                  and period.name = late_event.period
                  and revision.posted_at is null
                  and revision.verdict is distinct from 'rejected') as prepared
            from late_event
            where verdict = 'accepted'
              and not exists (
                select from correction
                join revision using (period_id, revision)
                join period on period.id = correction.period_id
                where period.board = late_event.board
                  and period.name = late_event.period
                  and correction.event_id = late_event.id
                  and revision.verdict is distinct from 'rejected')
            group by board, period
            order by board, period
            """)
        .query(AcceptedEvents.class)
        .list();
  }

  /** The late events of a period, in order of arrival. */
  List<LateEvent> of(Period period) {
    return of(period.board(), period.name());
  }

  /** The late events of a period that may never have been opened, in order of arrival. */
  List<LateEvent> of(BoardId board, PeriodName period) {
    return all(board.value(), period.value(), false, null, Integer.MAX_VALUE);
  }

  /** Locks the late events of a period until the transaction ends. */
  void lock(BoardId board, PeriodName period) {
    jdbc.sql(
            """
            select id from late_event
            where board = :board and period = :period
            order by id
            for update
            """)
        .param("board", board)
        .param("period", period)
        .query(row -> {});
  }

  /** The late events of a member in a period, in order of arrival. */
  List<LateEvent> ofMember(Period period, String member) {
    return jdbc.sql(
            COLUMNS
                + """
                where board = :board and period = :period and member = :member
                order by arrived_at, id
                """)
        .param("board", period.board())
        .param("period", period.name())
        .param("member", member)
        .query(LateEvent.class)
        .list();
  }

  /** The late events of a period with these ids, in no order. */
  List<LateEvent> byIds(Period period, Collection<String> ids) {
    return jdbc.sql(
            COLUMNS + "where board = :board and period = :period and id = any(:ids::text[])")
        .param("board", period.board())
        .param("period", period.name())
        .param("ids", ids)
        .query(LateEvent.class)
        .list();
  }

  /**
   * Accepted late events that a revision does not have yet, in the order in which they count. They
   * are locked against changes until the transaction ends.
   */
  List<LateEvent> accepted(Period period, int revision) {
    return jdbc.sql(
            COLUMNS
                + """
                where board = :board
                  and period = :period
                  and verdict = 'accepted'
                  and not exists (
                    select from correction
                    where correction.period_id = :id
                      and correction.revision = :revision
                      and correction.event_id = late_event.id)
                order by decided_at, arrived_at, id
                for share
                """)
        .param("board", period.board())
        .param("period", period.name())
        .param("id", period.id())
        .param("revision", revision)
        .query(LateEvent.class)
        .list();
  }

  /** The first revision, undecided or posted, in which the event counts. */
  Optional<Included> included(Period period, String id) {
    return jdbc.sql(
            """
            select revision.revision, revision.posted_at is not null as posted
            from correction
            join revision using (period_id, revision)
            where correction.period_id = :period
              and correction.event_id = :event
              and revision.verdict is distinct from 'rejected'
            order by revision.revision
            limit 1
            """)
        .param("period", period.id())
        .param("event", id)
        .query(Included.class)
        .optional();
  }

  /** A revision in which a late event counts. */
  record Included(int revision, boolean posted) {}

  void decide(LateEvent event, Decision decision) {
    int rows =
        jdbc.sql(
                """
                update late_event
                set verdict = :verdict, decided_by = :by, decided_at = :at, verdict_reason = :reason
                where board = :board and period = :period and id = :id
                """)
            .param("verdict", decision.verdict())
            .param("by", decision.by())
            .param("at", decision.at())
            .param("reason", decision.reason())
            .param("board", event.board())
            .param("period", event.period())
            .param("id", event.id())
            .update();
    if (rows != 1) {
      throw new IllegalStateException("late event " + event.id() + " does not exist");
    }
  }
}

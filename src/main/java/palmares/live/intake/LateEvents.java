package palmares.live.intake;

import java.time.Clock;
import java.time.Instant;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.Event;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Stores late events, each once, for evaluation by staff. */
@Component
class LateEvents {
  private final JdbcClient jdbc;
  private final Clock clock;

  LateEvents(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Stores the event.
   *
   * @return false if another event with the same id is stored already
   */
  boolean store(BoardId board, PeriodName period, Event event, Instant occurredAt) {
    return jdbc.sql(
            """
            insert into late_event (
              board, period, id, member, action, subject, undo, quantity, value, then_by,
              occurred_at, arrived_at)
            values (
              :board, :period, :id, :member, :action, :subject, :undo, :quantity, :value, :then_by,
              :occurred, :now)
            on conflict (board, period, id) do update set id = excluded.id
            returning (member, action, subject, undo, quantity, value, then_by)
              is not distinct from
                (:member, :action, :subject::text, :undo, :quantity, :value::bigint,
                  :then_by::bigint)
            """)
        .param("board", board)
        .param("period", period)
        .param("id", event.id())
        .param("member", event.member())
        .param("action", event.action())
        .param("subject", event.subject())
        .param("undo", event.undo())
        .param("quantity", event.quantity())
        .param("value", event.value())
        .param("then_by", event.thenBy())
        .param("occurred", occurredAt)
        .param("now", clock.instant())
        .query(Boolean.class)
        .single();
  }
}

package palmares.intake;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.board.BoardId;
import palmares.calendar.PeriodName;

/** Events that came too late: kept once each, for staff to see. */
@Component
class LateEvents {
  private final JdbcClient jdbc;
  private final Clock clock;

  LateEvents(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  void keep(BoardId board, PeriodName period, Event event, Instant occurredAt) {
    jdbc.sql(
            """
            insert into late_event (
              board, period, id, member, action, subject, undo, quantity, value, then_by,
              occurred_at, arrived_at)
            values (
              :board, :period, :id, :member, :action, :subject, :undo, :quantity, :value, :then_by,
              :occurred, :now)
            on conflict (board, period, id) do nothing
            """)
        .param("board", board.value())
        .param("period", period.value())
        .param("id", event.id())
        .param("member", event.member().value())
        .param("action", event.action())
        .param("subject", event.subject())
        .param("undo", event.undo())
        .param("quantity", event.quantity())
        .param("value", event.value())
        .param("then_by", event.thenBy())
        .param("occurred", occurredAt.atOffset(ZoneOffset.UTC))
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .update();
  }
}

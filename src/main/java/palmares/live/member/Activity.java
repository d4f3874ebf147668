package palmares.live.member;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.MemberId;

/** What a member did lately, as the journals in PostgreSQL have it. */
@Component
public class Activity {
  /** It goes back so many days at the most. */
  public static final int MOST_DAYS = 31;

  private final JdbcClient jdbc;
  private final Clock clock;

  Activity(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * A deed on one board.
   *
   * @param points what it gave, or took if negative
   */
  public record Deed(
      String id,
      String board,
      String period,
      String action,
      @Nullable String subject,
      String outcome,
      long quantity,
      long points,
      Instant occurredAt) {}

  /** The member's deeds of so many days, the latest first. */
  public List<Deed> of(MemberId member, int days, int count) {
    return jdbc.sql(
            """
            select
              event.id, period.board, period.name as period, event.action, event.subject,
              event.outcome, event.quantity, event.points, event.occurred_at
            from event
            join period on period.id = event.period_id
            where event.member = :member and event.occurred_at > :since
            order by event.occurred_at desc, event.id, period.board
            limit :count
            """)
        .param("member", member.value())
        .param("since", clock.instant().minus(Duration.ofDays(days)).atOffset(ZoneOffset.UTC))
        .param("count", count)
        .query(
            (row, n) ->
                new Deed(
                    row.getString("id"),
                    row.getString("board"),
                    row.getString("period"),
                    row.getString("action"),
                    row.getString("subject"),
                    row.getString("outcome"),
                    row.getLong("quantity"),
                    row.getLong("points"),
                    row.getObject("occurred_at", OffsetDateTime.class).toInstant()))
        .list();
  }
}

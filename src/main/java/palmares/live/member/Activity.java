package palmares.live.member;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.MemberId;

/** Reads the recent events of a member from the journals in PostgreSQL. */
@Component
public class Activity {
  public static final int MAX_DAYS = 31;

  private final JdbcClient jdbc;
  private final Clock clock;

  Activity(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * An event on one board.
   *
   * @param points what it added; negative if it took points away
   */
  public record Entry(
      String id,
      String board,
      String period,
      String action,
      @Nullable String subject,
      String outcome,
      long quantity,
      long points,
      Instant occurredAt) {}

  /** Returns the member's events of the last {@code days} days, latest first. */
  public List<Entry> of(MemberId member, int days, int count) {
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
        .param("member", member)
        .param("since", clock.instant().minus(Duration.ofDays(days)))
        .param("count", count)
        .query(Entry.class)
        .list();
  }
}

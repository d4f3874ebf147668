package palmares.operations.explain;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.Verdict;
import palmares.operations.lateevents.ActionSentences;
import palmares.platform.text.Sentence;
import palmares.rules.board.MemberId;

/** Reads a member's latest events over all boards from the journal in PostgreSQL. */
@Component
public class MemberEvents {
  private final JdbcClient jdbc;

  MemberEvents(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * An event of a member.
   *
   * @param action what the member did
   * @param outcome the word of a {@link Verdict}
   * @param change of the member's points
   */
  public record MemberEvent(
      Instant at, String board, String period, Sentence action, String outcome, long change) {}

  /**
   * The member's latest events by when they occurred, the latest first.
   *
   * @param most how many to read; the index {@code event_member} has them in this order
   */
  public List<MemberEvent> latest(MemberId member, int most) {
    return jdbc
        .sql(
            """
            select
              period.board, period.name, event.action, event.subject, event.outcome,
              event.quantity, event.points, event.occurred_at
            from (
              select * from event
              where member = :member
              order by occurred_at desc
              limit :most
            ) event
            join period on period.id = event.period_id
            order by event.occurred_at desc, event.period_id, event.seq desc
            """)
        .param("member", member)
        .param("most", most)
        .query(Row.class)
        .list()
        .stream()
        .map(Row::event)
        .toList();
  }

  private record Row(Instant occurredAt, String board, String name, Done done, long points) {
    MemberEvent event() {
      return new MemberEvent(occurredAt, board, name, done.said(), done.outcome().word(), points);
    }
  }

  /** What the member did by an event. */
  record Done(String action, @Nullable String subject, long quantity, Verdict outcome) {
    Sentence said() {
      return ActionSentences.of(outcome.isOfUndo(), action, quantity, subject);
    }
  }
}

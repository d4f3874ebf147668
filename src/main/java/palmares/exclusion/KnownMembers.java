package palmares.exclusion;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.board.MemberId;

/** Whether PostgreSQL has ever heard of a member: a name that was mistyped excludes nobody. */
@Component
public class KnownMembers {
  private final JdbcClient jdbc;

  KnownMembers(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Whether the member has registered, stood on a board that was closed, or sent an event. */
  public boolean knows(MemberId member) {
    return isHeard(member) || hasLine(member);
  }

  private boolean isHeard(MemberId member) {
    return jdbc.sql(
            """
            select
              exists (select from exclusion where member = :member)
              or exists (select from member where id = :member)
              or exists (select from event where member = :member)
              or exists (select from late_event where member = :member)
              or exists (
                select from relay
                join committed_event on committed_event.period_id = relay.period_id
                where committed_event.n > relay.relayed and committed_event.member = :member)
            """)
        .param("member", member.value())
        .query(Boolean.class)
        .single();
  }

  /** Asked last, since it reads the lines of every outcome: an adopted board has no events. */
  private boolean hasLine(MemberId member) {
    return jdbc.sql("select has_line(:member)")
        .param("member", member.value())
        .query(Boolean.class)
        .single();
  }
}

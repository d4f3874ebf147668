package palmares.period.exclusion;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.MemberId;

/** Whether PostgreSQL has ever heard of a member: a name that was mistyped excludes nobody. */
@Component
public class KnownMembers {
  private final JdbcClient jdbc;
  private final MemberOutcomes memberOutcomes;

  KnownMembers(JdbcClient jdbc, MemberOutcomes memberOutcomes) {
    this.jdbc = jdbc;
    this.memberOutcomes = memberOutcomes;
  }

  /** Whether the member has registered, stood on a board that was closed, or sent an event. */
  public boolean knows(MemberId member) {
    return isHeard(member) || memberOutcomes.any(member);
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
}

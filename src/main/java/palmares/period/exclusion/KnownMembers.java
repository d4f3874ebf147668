package palmares.period.exclusion;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.MemberId;

/**
 * Finds out whether PostgreSQL knows a member, so that a mistyped name is noticed, and in which
 * outcomes a member has a line. Outcomes with tables of their own are searched a few at a time, so
 * that no statement locks the tables of the whole history.
 */
@Component
public class KnownMembers {
  private static final int OUTCOMES_PER_STATEMENT = 100;

  private final JdbcClient jdbc;

  KnownMembers(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Whether the member has registered, sent an event, was excluded, or has a line anywhere. */
  public boolean knows(MemberId member) {
    return isRecorded(member)
        || !inSharedTables(member).isEmpty()
        || !inOwnTables(
                member,
                jdbc.sql("select id from revision where id > 0").query(Integer.class).list())
            .isEmpty();
  }

  private boolean isRecorded(MemberId member) {
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

  /** Returns those of the outcomes in which the member has a line, hidden or not. */
  public Set<Integer> outcomesWith(MemberId member, Collection<Integer> outcomes) {
    var found = new HashSet<>(inSharedTables(member));
    found.addAll(inOwnTables(member, outcomes.stream().filter(outcome -> outcome > 0).toList()));
    found.retainAll(outcomes);
    return found;
  }

  private List<Integer> inSharedTables(MemberId member) {
    return jdbc.sql("select outcome from line where outcome < 0 and member = :member")
        .param("member", member.value())
        .query(Integer.class)
        .list();
  }

  private Set<Integer> inOwnTables(MemberId member, List<Integer> outcomes) {
    var found = new HashSet<Integer>();
    for (int from = 0; from < outcomes.size(); from += OUTCOMES_PER_STATEMENT) {
      int to = Math.min(from + OUTCOMES_PER_STATEMENT, outcomes.size());
      found.addAll(
          jdbc.sql(
                  """
                  select outcome from line
                  where outcome = any(:outcomes::int[]) and member = :member
                  """)
              .param("outcomes", outcomes.subList(from, to).toArray(Integer[]::new))
              .param("member", member.value())
              .query(Integer.class)
              .list());
    }
    return found;
  }
}

package palmares.period.exclusion;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.MemberId;

/**
 * Finds the outcomes in which a member has a line, hidden or not. Outcomes with tables of their own
 * are looked up a few at a time, so that no statement locks the tables of a whole history.
 */
@Component
class MemberOutcomes {
  private static final int OWN_AT_A_TIME = 100;

  private final JdbcClient jdbc;

  MemberOutcomes(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Whether the member has a line in any outcome. */
  boolean any(MemberId member) {
    return !shared(member).isEmpty()
        || !own(
                member,
                jdbc.sql("select id from revision where id > 0").query(Integer.class).list())
            .isEmpty();
  }

  /** Those of the outcomes in which the member has a line. */
  Set<Integer> among(MemberId member, Collection<Integer> outcomes) {
    var found = new HashSet<>(shared(member));
    found.addAll(own(member, outcomes.stream().filter(outcome -> outcome > 0).toList()));
    found.retainAll(outcomes);
    return found;
  }

  private List<Integer> shared(MemberId member) {
    return jdbc.sql("select outcome from line where outcome < 0 and member = :member")
        .param("member", member.value())
        .query(Integer.class)
        .list();
  }

  private Set<Integer> own(MemberId member, List<Integer> outcomes) {
    var found = new HashSet<Integer>();
    for (int i = 0; i < outcomes.size(); i += OWN_AT_A_TIME) {
      List<Integer> some = outcomes.subList(i, Math.min(i + OWN_AT_A_TIME, outcomes.size()));
      found.addAll(
          jdbc.sql(
                  """
                  select outcome from line
                  where outcome = any(:outcomes::int[]) and member = :member
                  """)
              .param("outcomes", some.toArray(Integer[]::new))
              .param("member", member.value())
              .query(Integer.class)
              .list());
    }
    return found;
  }
}

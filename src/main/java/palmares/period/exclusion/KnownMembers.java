package palmares.period.exclusion;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.rules.board.BoardId;
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
    return unknown(List.of(member)).isEmpty();
  }

  /** Returns those of the members that PostgreSQL does not know, in their order. */
  public List<MemberId> unknown(Collection<MemberId> members) {
    var unknown = new LinkedHashSet<String>(unrecorded(members));
    List<Integer> outcomes =
        unknown.isEmpty()
            ? List.of()
            : jdbc.sql("select id from revision where id > 0").query(Integer.class).list();
    for (int from = 0; from < outcomes.size(); from += OUTCOMES_PER_STATEMENT) {
      int to = Math.min(from + OUTCOMES_PER_STATEMENT, outcomes.size());
      unknown.removeAll(
          new HashSet<>(
              jdbc.sql(
                      """
                      select distinct member from line
                      where outcome = any(:outcomes::int[]) and member = any(:members::text[])
                      """)
                  .param("outcomes", outcomes.subList(from, to))
                  .param("members", unknown)
                  .query(String.class)
                  .list()));
    }
    return unknown.stream().map(MemberId::new).toList();
  }

  private List<String> unrecorded(Collection<MemberId> members) {
    return jdbc.sql(
            """
            select given.member
            from unnest(:members::text[]) with ordinality as given (member, n)
            where not exists (select from exclusion where exclusion.member = given.member)
              and not exists (select from member where member.id = given.member)
              and not exists (select from event where event.member = given.member)
              and not exists (select from late_event where late_event.member = given.member)
              and not exists (
                select from relay
                left join relay_position using (period_id)
                join committed_event using (period_id)
                where committed_event.n > coalesce(relayed, 0)
                  and committed_event.member = given.member)
              and not exists (
                select from line where outcome < 0 and line.member = given.member)
            order by given.n
            """)
        .param("members", members)
        .query(String.class)
        .list();
  }

  /**
   * Whether the member has sent an event to the board, was excluded from it, or has a line in an
   * outcome of it, hidden or not. Of outcomes with tables of their own only the latest hundred are
   * searched, so that the history does not slow it down.
   */
  public boolean knowsOn(BoardId board, MemberId member) {
    List<Integer> latest =
        jdbc.sql(
                """
                select revision.id
                from revision
                join period on period.id = revision.period_id
                where period.board = :board and revision.id > 0
                order by revision.id desc
                limit :most
                """)
            .param("board", board)
            .param("most", OUTCOMES_PER_STATEMENT)
            .query(Integer.class)
            .list();
    return jdbc.sql(
            """
            select exists (
                select from event
                join period on period.id = event.period_id
                where event.member = :member and period.board = :board)
              or exists (select from late_event where member = :member and board = :board)
              or exists (select from exclusion where member = :member and board = :board)
              or exists (
                select from line
                join revision on revision.id = line.outcome
                join period on period.id = revision.period_id
                where line.outcome < 0 and line.member = :member and period.board = :board)
              or exists (
                select from line where outcome = any(:latest::int[]) and member = :member)
            """)
        .param("member", member)
        .param("board", board)
        .param("latest", latest)
        .query(Boolean.class)
        .single();
  }

  /** Members of the period whose ids have the same first letter, to suggest for an unknown one. */
  public List<String> similar(Period period, String word) {
    Optional<Integer> closing =
        jdbc.sql("select id from revision where period_id = :period and revision = 1")
            .param("period", period.id())
            .query(Integer.class)
            .optional();
    var similar = new LinkedHashSet<String>();
    closing.ifPresent(
        outcome ->
            similar.addAll(
                jdbc.sql(
                        """
                        select member from snapshot
                        where outcome = :outcome and left(member, 1) = left(:word, 1)
                        limit 2000
                        """)
                    .param("outcome", outcome)
                    .param("word", word)
                    .query(String.class)
                    .list()));
    similar.addAll(
        jdbc.sql(
                """
                select distinct member from (
                  select member from event
                  where period_id = :period and left(member, 1) = left(:word, 1)
                  limit 2000
                ) event
                """)
            .param("period", period.id())
            .param("word", word)
            .query(String.class)
            .list());
    return List.copyOf(similar);
  }

  /** Returns those of the outcomes in which the member has a line, hidden or not. */
  public Set<Integer> outcomesWith(MemberId member, Collection<Integer> outcomes) {
    var found = new HashSet<>(inSharedTables(member));
    found.addAll(inOwnTables(member, outcomes.stream().filter(outcome -> outcome > 0).toList()));
    found.retainAll(outcomes);
    return found;
  }

  /** Returns those of the members who have a line in the outcome, hidden or not. */
  Set<String> membersIn(int outcome, Collection<String> members) {
    return new HashSet<>(
        jdbc.sql("select member from line where outcome = :outcome and member = any(:members)")
            .param("outcome", outcome)
            .param("members", members)
            .query(String.class)
            .list());
  }

  private List<Integer> inSharedTables(MemberId member) {
    return jdbc.sql("select outcome from line where outcome < 0 and member = :member")
        .param("member", member)
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
              .param("outcomes", outcomes.subList(from, to))
              .param("member", member)
              .query(Integer.class)
              .list());
    }
    return found;
  }
}

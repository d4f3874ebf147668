package palmares.operations.forgetting;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.exclusion.KnownMembers;
import palmares.rules.board.MemberId;

/** Finds where a forgotten person is still named. */
@Component
class RemainingNames {
  /** As in {@code pseudonymized}. */
  private static final Pattern HAS_LETTER = Pattern.compile("\\p{L}");

  private final JdbcClient jdbc;
  private final KnownMembers known;

  RemainingNames(JdbcClient jdbc, KnownMembers known) {
    this.jdbc = jdbc;
    this.known = known;
  }

  /** What is not replaced because it may mean something else. */
  static List<String> notes(MemberId member) {
    return HAS_LETTER.matcher(member.value()).find()
        ? List.of()
        : List.of(
            "texts that contain the id among other words: an id without a letter is not replaced"
                + " there");
  }

  /** A period that was closed while the others were renamed may have lines of the person. */
  void requireNoLines(MemberId member) {
    List<Integer> all = jdbc.sql("select id from revision").query(Integer.class).list();
    Set<Integer> outcomes = known.outcomesWith(member, all);
    if (!outcomes.isEmpty()) {
      List<String> labels =
          jdbc.sql(
                  """
                  select distinct board || ' ' || name as label
                  from revision
                  join period on period.id = revision.period_id
                  where revision.id = any(:outcomes::int[])
                  order by label
                  """)
              .param("outcomes", outcomes.toArray(Integer[]::new))
              .query(String.class)
              .list();
      throw new ForgettingIncomplete("lines have the id: " + String.join(", ", labels));
    }
  }

  /** What is still named was written since it was renamed, or the renaming does not know it. */
  void requireUnnamed(MemberId member, MemberId pseudonym) {
    List<String> columns =
        jdbc.sql(
                """
                select still_named(member, pseudonym, started_at)
                from forgetting
                where member = :member and pseudonym = :pseudonym
                """)
            .param("member", member.value())
            .param("pseudonym", pseudonym.value())
            .query(String.class)
            .list();
    if (!columns.isEmpty()) {
      throw new ForgettingIncomplete("these columns have the id: " + String.join(", ", columns));
    }
  }
}

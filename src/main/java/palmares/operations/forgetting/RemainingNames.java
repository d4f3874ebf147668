package palmares.operations.forgetting;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.WrongState;
import palmares.period.exclusion.KnownMembers;
import palmares.rules.board.MemberId;

/** Finds where a person is named, and where a forgotten one still is. */
@Component
class RemainingNames {
  /** As in {@code pseudonymized}. */
  private static final Pattern HAS_LETTER = Pattern.compile("\\p{L}");

  private final JdbcClient jdbc;
  private final KnownMembers known;
  private final ForgottenArchives archives;

  RemainingNames(JdbcClient jdbc, KnownMembers known, ForgottenArchives archives) {
    this.jdbc = jdbc;
    this.known = known;
    this.archives = archives;
  }

  /**
   * Checks that something names a person, who may be known only by what others did.
   *
   * @throws WrongState if nothing that can be read here does
   */
  void requireNamed(MemberId member) {
    if (!known.knows(member) && !isInOtherRows(member) && !archives.haveMember(member)) {
      // Without the id, because the task of an attempt that was too late keeps the message.
      var parts = new ArrayList<String>();
      parts.add(
          "there is no member with this id: no row has it as member or subject, and no archive"
              + " that is here");
      archives.unreachable().stream()
          .map("to search %s, put them there"::formatted)
          .forEach(parts::add);
      throw new WrongState(String.join("; ", parts));
    }
  }

  private boolean isInOtherRows(MemberId member) {
    return jdbc.sql(
            """
            select exists (select from event where subject = :member)
              or exists (select from committed_event where :member in (member, subject))
              or exists (select from late_event where subject = :member)
              or exists (
                select from journal_quarantine
                where position(
                  '\\x1f'::bytea || convert_to(:member, 'UTF8') || '\\x1f'::bytea in entry) > 0)
            """)
        .param("member", member.value())
        .query(Boolean.class)
        .single();
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

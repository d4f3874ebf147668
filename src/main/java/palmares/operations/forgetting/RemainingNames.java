package palmares.operations.forgetting;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.archive.ArchiveRenaming.Found;
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
   * Checks that something has an id, and says what may mean something else than the person.
   *
   * @param pseudonym which an earlier attempt has put in place of some ids; null if there was none
   * @param archivesRead receives how many archives were read
   * @throws WrongState if nothing that can be read here has the id, and there was no such attempt
   */
  List<String> requireNamed(
      MemberId member, @Nullable MemberId pseudonym, LongConsumer archivesRead) {
    var notes = new ArrayList<String>();
    if (!HAS_LETTER.matcher(member.value()).find()) {
      notes.add(
          "not replaced: texts that contain the id among other words: an id without a letter is not"
              + " replaced there");
    }
    List<MemberId> ids = pseudonym == null ? List.of(member) : List.of(member, pseudonym);
    if (ids.stream().anyMatch(known::knows)) {
      return notes;
    }
    long asMember = 0;
    long events = 0;
    int inArchives = 0;
    for (MemberId id : ids) {
      InEvents found = inEvents(id);
      asMember += found.asMember();
      events += found.asSubject();
    }
    for (MemberId id : asMember == 0 ? ids : List.<MemberId>of()) {
      Found found = archives.find(id, archivesRead);
      asMember += found.asMember();
      inArchives += found.asSubject();
    }
    if (asMember == 0 && events + inArchives > 0) {
      notes.add(
          ("the id was found only as a subject (events: %,d; archives: %,d), which may name"
                  + " something else than a person; no row has it as a member")
              .formatted(events, inArchives));
    } else if (asMember == 0 && pseudonym == null) {
      throw unknown();
    }
    return notes;
  }

  /**
   * As {@link #requireNamed}, but reads no archive, which may take hours.
   *
   * @throws WrongState if no row has the id, and there is no archive that may have it
   */
  void requireInRowsOrArchives(MemberId member, @Nullable MemberId pseudonym) {
    if (pseudonym == null && !known.knows(member) && archives.isEmpty()) {
      InEvents found = inEvents(member);
      if (found.asMember() + found.asSubject() == 0) {
        throw unknown();
      }
    }
  }

  /** Without the id, because the task of an attempt that was too late keeps the message. */
  private WrongState unknown() {
    var parts = new ArrayList<String>();
    parts.add(
        "there is no member with this id: no row has it as member or subject, and no archive"
            + " that is here");
    archives.unreachable().stream()
        .map("to search %s, put them there"::formatted)
        .forEach(parts::add);
    return new WrongState(String.join("; ", parts));
  }

  /** How many events have an id as a member, and how many only as a subject. */
  private record InEvents(long asMember, long asSubject) {}

  /** In the journal's entries the second field is the member, and the fourth the subject. */
  private InEvents inEvents(MemberId member) {
    return jdbc.sql(
            """
            with found as (
              select period_id::text as period, id, member = :member as as_member
              from event
              where subject = :member
              union
              select period_id::text, id, member = :member
              from committed_event
              where :member in (member, subject)
              union
              select board || ' ' || period, id, member = :member
              from late_event
              where subject = :member
              union
              select period_id::text, 'entry ' || seq, fields[2] = given
              from journal_quarantine
              cross join lateral (
                select string_to_array(encode(entry, 'escape'), e'\\x1f') as fields,
                  encode(convert_to(:member, 'UTF8'), 'escape') as given
              ) as escaped
              where given in (fields[2], fields[4])
            )
            select
              count(*) filter (where as_member) as as_member,
              count(*) filter (where not as_member) as as_subject
            from found
            """)
        .param("member", member.value())
        .query(InEvents.class)
        .single();
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

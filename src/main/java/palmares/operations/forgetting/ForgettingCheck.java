package palmares.operations.forgetting;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.LongConsumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.forgetting.Forgetting.Plan;
import palmares.period.PeriodState;
import palmares.period.WrongState;
import palmares.period.exclusion.KnownMembers;
import palmares.rules.board.MemberId;

/** Says what forgetting a person would change, and what is in the way; changes nothing. */
@Component
class ForgettingCheck {
  private final JdbcClient jdbc;
  private final KnownMembers known;
  private final StoredPseudonyms pseudonyms;
  private final RemainingNames remaining;
  private final ForgottenArchives archives;

  ForgettingCheck(
      JdbcClient jdbc,
      KnownMembers known,
      StoredPseudonyms pseudonyms,
      RemainingNames remaining,
      ForgottenArchives archives) {
    this.jdbc = jdbc;
    this.known = known;
    this.pseudonyms = pseudonyms;
    this.remaining = remaining;
    this.archives = archives;
  }

  /**
   * Finds what forgetting a person would change; changes nothing.
   *
   * @param reason must not contain the id
   * @param archivesRead receives how many archives were read, which may take long
   * @throws WrongState if it does, or if nobody has this id
   */
  Plan plan(MemberId member, String reason, LongConsumer archivesRead) {
    requireUnnamed(member, reason);
    var notes =
        new ArrayList<String>(
            remaining.requireNamed(member, pseudonyms.find(member), archivesRead));
    long renamed = countRenamedEventsOfOthers(member);
    if (renamed > 0) {
      notes.add(
          ("events of other people in open periods, whose own ids contain the id: %,d; it is"
                  + " replaced there, so one of these that is sent again counts again")
              .formatted(renamed));
    }
    Long[] touched = touched(member);
    var counts = new LinkedHashMap<String, Long>();
    counts.put("registrations", count("select count(*) from member where id = :member", member));
    counts.put("events", count("select count(*) from event where member = :member", member));
    counts.put(
        "events about the member",
        count("select count(*) from event where subject = :member", member));
    counts.put(
        "late events", count("select count(*) from late_event where member = :member", member));
    counts.put(
        "exclusions", count("select count(*) from exclusion where member = :member", member));
    counts.put(
        "audit entries", count("select count(*) from audit_entry where member = :member", member));
    for (PeriodState state : List.of(PeriodState.OPEN, PeriodState.SETTLED, PeriodState.EXPIRED)) {
      counts.put(
          state.word() + " periods",
          jdbc.sql("select count(*) from period where id = any(:ids) and state = :state")
              .param("ids", touched)
              .param("state", state.word())
              .query(Long.class)
              .single());
    }
    return new Plan(obstacles(member, touched), archives.unreachable(), notes, counts);
  }

  /** Repeats of these are not recognized any more, because repeats are found by their ids. */
  private long countRenamedEventsOfOthers(MemberId member) {
    return count(
        """
        with live as (
          select id as period_id from period where state = 'open'
        ), others as (
          select period_id, event.id from event join live using (period_id)
          where member <> :member and strpos(event.id, :member) > 0
          union
          select period_id, committed_event.id from committed_event join live using (period_id)
          where member <> :member and strpos(committed_event.id, :member) > 0
        )
        select count(*) from others where pseudonymized(id, :member, '') <> id
        """,
        member);
  }

  /** Refuses a reason that contains the id. */
  static void requireUnnamed(MemberId member, String reason) {
    if (reason.contains(member.value())) {
      throw new WrongState(
          "the reason is stored and contains the member's id: give another reason");
    }
  }

  private long count(String sql, MemberId member) {
    return jdbc.sql(sql).param("member", member.value()).query(Long.class).single();
  }

  /** The periods that have lines of the person, or events and late events that name it. */
  private Long[] touched(MemberId member) {
    List<Integer> outcomes = jdbc.sql("select id from revision").query(Integer.class).list();
    return jdbc.sql(
            """
            select period_id from revision where id = any(:outcomes::int[])
            union
            select period_id from event
            where member = :member or strpos(subject, :member) > 0 or strpos(id, :member) > 0
            union
            select period_id from committed_event
            where (member = :member or strpos(subject, :member) > 0 or strpos(id, :member) > 0)
              and period_id in (select id from period where state = 'open')
            union
            select period.id
            from late_event
            join period on period.board = late_event.board and period.name = late_event.period
            where member = :member
              or strpos(subject, :member) > 0
              or strpos(late_event.id, :member) > 0
            order by 1
            """)
        .param("outcomes", known.outcomesWith(member, outcomes).toArray(Integer[]::new))
        .param("member", member.value())
        .query(Long.class)
        .list()
        .toArray(Long[]::new);
  }

  private List<String> obstacles(MemberId member, Long[] touched) {
    return jdbc.sql(
            """
            select format('%s %s is %s: settle it first', board, name, state)
            from period
            where id = any(:ids) and is_closing(state)
            union all
            select format('%s %s has an undecided amendment: approve or reject it first', board,
              name)
            from revision
            join period on period.id = revision.period_id
            where revision.period_id = any(:ids)
              and base is not null
              and posted_at is null
              and verdict is distinct from 'rejected'
            union all
            select format('the quarantine of %s %s has an undecided event: resolve it first', board,
              name)
            from journal_quarantine
            join period on period.id = journal_quarantine.period_id
            where resolution is null
              and position(convert_to(:member, 'UTF8') in entry) > 0
            union all
            select format('the outbox target %s is between two parts of an outcome: try again once'
              ' it is delivered, or see palmares outbox', name)
            from outbox_target
            where batch is not null or parts > 0
            """)
        .param("ids", touched)
        .param("member", member.value())
        .query(String.class)
        .list();
  }

  /**
   * Checks that a person can be forgotten now; changes nothing.
   *
   * @param reason must not contain the id
   * @param archivesRead receives how many archives were read, which may take long
   * @throws WrongState if not, because a person must do something first
   * @throws ForgettingIncomplete if not, and an earlier attempt has begun
   */
  Plan require(MemberId member, String reason, LongConsumer archivesRead) {
    Plan plan = plan(member, reason, archivesRead);
    requireNone(plan.obstacles(), member);
    return plan;
  }

  /**
   * As {@link #require}, but reads no archive: passes if one that is here may have an id that no
   * row has.
   */
  void requireInRows(MemberId member, String reason) {
    requireUnnamed(member, reason);
    remaining.requireInRowsOrArchives(member, pseudonyms.find(member));
    requireNone(obstacles(member, touched(member)), member);
  }

  private void requireNone(List<String> obstacles, MemberId member) {
    if (!obstacles.isEmpty()) {
      String all = String.join("\n  ", obstacles);
      if (pseudonyms.find(member) != null) {
        throw new ForgettingIncomplete(all);
      }
      throw new WrongState("the member cannot be forgotten now:\n  " + all);
    }
  }
}

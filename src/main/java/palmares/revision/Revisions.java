package palmares.revision;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.payout.Control.Approval;
import palmares.payout.RewardRule.Ties;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.revision.Revision.Verdict;

/** All outcomes that were ever computed. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class Revisions {
  private final JdbcClient jdbc;
  private final Clock clock;

  Revisions(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Begins a period's first revision, by the rules that the period opened under.
   *
   * @param closedBy the person who closes this one period by hand; null if no person does
   */
  public void begin(Period period, Board board, String preparedBy, @Nullable String closedBy) {
    jdbc.sql(
            """
            insert into revision (
              period_id, revision, definition_hash, owed, prepared_by, prepared_at, closed_by,
              two_person)
            values (:period, 1, :hash, :owed, :by, :now, :closedBy, :twoPerson)
            """)
        .param("closedBy", closedBy)
        .param("twoPerson", asksForTwo(board))
        .param("period", period.id().value())
        .param("hash", period.definitionHash())
        .param("owed", board.payout().owed().word())
        .param("by", preparedBy)
        .param("now", utc(clock.instant()))
        .update();
  }

  /**
   * Begins an amendment, which awaits a verdict from the first. It needs two people if its rules
   * ask for two, or those of a revision before it did.
   *
   * @param rules those that it awards by
   * @return its number
   */
  public int amend(Revision base, Board rules, String by, String reason) {
    return jdbc.sql(
            """
            insert into revision (
              period_id, revision, base, definition_hash, owed, prepared_by, prepared_at,
              two_person, reason)
            select
              period_id,
              (select max(revision) + 1 from revision where period_id = :period),
              revision,
              :hash,
              owed,
              :by,
              :now,
              two_person or :twoPerson,
              :reason
            from revision
            where period_id = :period and revision = :base
            returning revision
            """)
        .param("hash", rules.source().hash())
        .param("twoPerson", asksForTwo(rules))
        .param("by", by)
        .param("now", utc(clock.instant()))
        .param("reason", reason)
        .param("period", base.period().value())
        .param("base", base.number())
        .query(Integer.class)
        .single();
  }

  private static boolean asksForTwo(Board board) {
    return board.payout().control().approval() == Approval.TWO_PERSON;
  }

  /** The revision, if it has been computed. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public Optional<Revision> find(PeriodId period, int number) {
    return jdbc.sql(RevisionRows.COLUMNS + "where period_id = :period and revision = :revision")
        .param("period", period.value())
        .param("revision", number)
        .query(RevisionRows::row)
        .optional();
  }

  /** Whether the period's journal has left the database: there are no further revisions then. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public boolean archived(PeriodId period) {
    return jdbc.sql("select archived_at is not null from period where id = :period")
        .param("period", period.value())
        .query(Boolean.class)
        .single();
  }

  /** All of a period's, in their order. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<Revision> of(PeriodId period) {
    return jdbc.sql(RevisionRows.COLUMNS + "where period_id = :period order by revision")
        .param("period", period.value())
        .query(RevisionRows::row)
        .list();
  }

  /** Keeps why it waits for a person, and until when at most. */
  public void hold(PeriodId period, int number, List<String> reasons, @Nullable Instant releaseAt) {
    requireOne(
        jdbc.sql(
                """
                update revision
                set held_for = :reasons::text[], release_at = :release::timestamptz
                where period_id = :period and revision = :revision and verdict is null
                """)
            .param("reasons", reasons.toArray(String[]::new))
            .param("release", releaseAt == null ? null : utc(releaseAt))
            .param("period", period.value())
            .param("revision", number)
            .update(),
        period,
        number);
  }

  /** Keeps how ties are paid that the rules leave to a person, and who decided so. */
  public void ties(PeriodId period, int number, Ties ties, String by) {
    requireOne(
        jdbc.sql(
                """
                update revision
                set ties = :ties, ties_by = :by
                where period_id = :period and revision = :revision and verdict is null
                """)
            .param("ties", ties.word())
            .param("by", by)
            .param("period", period.value())
            .param("revision", number)
            .update(),
        period,
        number);
  }

  /** Keeps who decided on it. */
  public void decide(PeriodId period, int number, Verdict verdict, String by, String reason) {
    requireOne(
        jdbc.sql(
                """
                update revision
                set verdict = :verdict, decided_by = :by, decided_at = :now,
                  verdict_reason = :reason
                where period_id = :period and revision = :revision and verdict is null
                """)
            .param("verdict", verdict.word())
            .param("by", by)
            .param("now", utc(clock.instant()))
            .param("reason", reason)
            .param("period", period.value())
            .param("revision", number)
            .update(),
        period,
        number);
  }

  /** Forgets what was computed and never paid; what persons decided on it stays among the acts. */
  public void forget(PeriodId period, int number) {
    for (String table :
        List.of(
            "award",
            "tier_move",
            "standing",
            "amended_line",
            "correction",
            "frozen_exclusion",
            "approval",
            "revision")) {
      jdbc.sql(
              """
              delete from %s
              where period_id = :period
                and revision = :revision
                and exists (
                  select from revision as whole
                  where whole.period_id = :period
                    and whole.revision = :revision
                    and whole.posted_at is null)
              """
                  .formatted(table))
          .param("period", period.value())
          .param("revision", number)
          .update();
    }
  }

  /** Keeps that it is paid. */
  public void posted(PeriodId period, int number) {
    requireOne(
        jdbc.sql(
                """
                update revision
                set posted_at = :now
                where period_id = :period
                  and revision = :revision
                  and verdict = 'approved'
                  and posted_at is null
                """)
            .param("now", utc(clock.instant()))
            .param("period", period.value())
            .param("revision", number)
            .update(),
        period,
        number);
  }

  private static void requireOne(int changed, PeriodId period, int number) {
    if (changed != 1) {
      throw new IllegalStateException(
          "revision %d of period %s is decided on already, or does not wait"
              .formatted(number, period));
    }
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}

package palmares.operations.report;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Choice;

/**
 * Reads the exclusions that a revision was computed with, and what has changed since: liftings, and
 * exclusions that an amendment would apply.
 */
@Component
public class PeriodExclusions {
  private static final String COLUMNS = Exclusions.COLUMNS + ",\n";

  private static final String PAGE =
      """
        and (:member::text is null or (exclusion.member, exclusion.id) > (:member, :id))
      order by exclusion.member, exclusion.id
      limit :most
      """;

  private static final String IN_FORCE =
      COLUMNS
          + """
            'in-force' as status
          from exclusion_in_force present
          join exclusion on exclusion.id = present.exclusion_id
          where present.period_id = :period
          """
          + PAGE;

  /** Exclusions of members without a line in the outcome would change nothing. */
  private static final String APPLIED =
      COLUMNS
          + """
            case
              when applied.member is not null and exclusion.lifted_at is null then 'applied'
              when applied.member is not null then 'lifted-since'
              when exclusion.made_at >= :frozen then 'added-since'
              else 'in-force'
            end as status
          from (
            select exclusion_id as id
            from frozen_exclusion
            where period_id = :period and revision = :revision
            union
            select exclusion_id
            from exclusion_in_force present
            where period_id = :period
              and (
                exists (
                  select from line
                  where line.outcome = :closing and line.member = present.member)
                or exists (
                  select from amended_line line
                  where line.period_id = :period
                    and line.revision = :revision
                    and line.member = present.member))
          ) shown
          join exclusion on exclusion.id = shown.id
          left join frozen_exclusion applied
            on applied.exclusion_id = exclusion.id
            and applied.period_id = :period
            and applied.revision = :revision
          where true
          """
          + PAGE;

  private final JdbcClient jdbc;

  PeriodExclusions(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A revision whose exclusions are frozen.
   *
   * @param closing the outcome that has a line for every member
   * @param at exclusions made or lifted at this time or later are not in it
   */
  public record Freeze(int revision, int closing, Instant at) {}

  /**
   * An exclusion as a revision has it.
   *
   * @param status how it applies
   */
  public record Applied(Exclusion exclusion, ExclusionStatus status) {}

  /** How an exclusion applies to a revision. */
  public enum ExclusionStatus implements Choice {
    /** The revision was computed with it, and it has not been lifted. */
    APPLIED,
    /** The revision was computed with it. */
    LIFTED_SINCE,
    /** It was made after the exclusions of the revision were frozen. */
    ADDED_SINCE,
    /** It applies now and did not then, or nothing is frozen yet. */
    IN_FORCE
  }

  /**
   * The freeze of a revision; empty if its exclusions are not frozen.
   *
   * @param revision null for the one in force; before a period is settled, for its first
   */
  public Optional<Freeze> freeze(Period period, @Nullable Integer revision) {
    return jdbc.sql(
            """
            select revision.revision, closing.id as closing, revision.frozen_at as at
            from period
            join revision
              on revision.period_id = period.id
              and revision.revision = coalesce(:revision, period.revision, 1)
            join revision closing on closing.period_id = period.id and closing.revision = 1
            where period.id = :period and revision.frozen_at is not null
            """)
        .param("period", period.id())
        .param("revision", revision)
        .query(Freeze.class)
        .optional();
  }

  /** The numbers of a period's revisions whose exclusions are frozen. */
  public List<Integer> frozen(Period period) {
    return jdbc.sql(
            """
            select revision from revision
            where period_id = :period and frozen_at is not null
            order by revision
            """)
        .param("period", period.id())
        .query(Integer.class)
        .list();
  }

  /**
   * A page of exclusions by member: those of a freeze and what has changed since; without a freeze,
   * those in force for the period now.
   *
   * @param after the last exclusion of the page before; null for the first page
   */
  public List<Applied> page(
      Period period, @Nullable Freeze freeze, @Nullable Position after, int most) {
    var statement =
        jdbc.sql(freeze == null ? IN_FORCE : APPLIED)
            .param("period", period.id())
            .param("member", after == null ? null : after.member())
            .param("id", after == null ? 0L : after.id())
            .param("most", most);
    if (freeze != null) {
      statement
          .param("revision", freeze.revision())
          .param("closing", freeze.closing())
          .param("frozen", freeze.at());
    }
    return statement.query(Applied.class).list();
  }

  /** The place of an exclusion in the list. */
  public record Position(String member, long id) {}
}

package palmares.period.exclusion;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.WrongState;
import palmares.platform.sql.RecordMapper;
import palmares.platform.text.Next;
import palmares.rules.board.MemberId;

/** Freezes for each revision the exclusions that its lines and payments are computed with. */
@Component
public class FrozenExclusions {
  /**
   * The exclusions in force for a {@code :period} at the time {@code :at}, under rules that refer
   * to {@code :lists}.
   */
  private static final String IN_FORCE =
      """
      from period
      join exclusion
        on exclusion.made_at < :at
        and coalesce(exclusion.lifted_at, 'infinity') >= :at
        and coalesce(exclusion.board, period.board) = period.board
        and (exclusion.list is null or exclusion.list = any(:lists::text[]))
        and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
        and coalesce(exclusion.ends_at, 'infinity') > period.starts_at
      where period.id = :period and %s
      order by exclusion.member, strength(exclusion.level), exclusion.id
      """;

  private static final String FREEZE =
      """
      insert into frozen_exclusion (
        period_id, revision, member, level, exclusion_id, board, list, starts_at, ends_at,
        reason, made_by)
      select distinct on (exclusion.member)
        period.id, :revision, exclusion.member, exclusion.level, exclusion.id, exclusion.board,
        exclusion.list, exclusion.starts_at, exclusion.ends_at, exclusion.reason,
        exclusion.made_by
      """
          + IN_FORCE;

  /** Whether the member has a line in the closing or in the revision. */
  private static final String HAS_LINE =
      """
      (
        exists (select from line where outcome = :closing and line.member = exclusion.member)
        or exists (
          select from amended_line
          where amended_line.period_id = :period
            and amended_line.revision = :revision
            and amended_line.member = exclusion.member))
      """;

  private final JdbcClient jdbc;
  private final Clock clock;

  FrozenExclusions(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * The exclusions in force for a period at a time.
   *
   * @param at exclusions made at this time or later do not count
   * @param lists the lists that the rules refer to
   * @param levels the strongest level of each excluded member
   */
  public record InForce(Instant at, List<String> lists, Map<String, ExclusionLevel> levels) {}

  /**
   * Sets the time of a freeze, and reads what is in force then. Later exclusions come after it.
   *
   * @throws WrongState if the rules refer to a list that does not exist
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public InForce inForce(Period period) {
    Frozen frozen = freezeTime(period, period.definitionHash());
    Map<String, ExclusionLevel> levels =
        jdbc.sql(
                "select distinct on (exclusion.member) exclusion.member, exclusion.level\n"
                    + IN_FORCE.formatted("true"))
            .param("period", period.id())
            .param("at", frozen.at())
            .param("lists", frozen.lists())
            .query(RecordMapper.map(String.class, ExclusionLevel.class));
    return new InForce(frozen.at(), frozen.lists(), levels);
  }

  /** The time of a freeze, and the lists that count in it. */
  private record Frozen(Instant at, List<String> lists, List<String> missing) {}

  private Frozen freezeTime(Period period, String definition) {
    Frozen frozen =
        jdbc.sql(
                """
                select
                  begin_freeze(greatest(:now, (
                    select greatest(sealed_at, ends_at) from period
                    where id = :period and sealed_at is not null))) as at,
                  lists,
                  array(
                    select list from unnest(lists) as list
                    where list not in (select name from exclusion_list)) as missing
                from definition where hash = :definition
                """)
            .param("now", clock.instant())
            .param("period", period.id())
            .param("definition", definition)
            .query(Frozen.class)
            .single();
    for (String list : frozen.missing()) {
      throw new WrongState(new ExclusionSentences.ListOfRulesMissing(period.label(), list))
          .then(Next.of("create-list").with("list", list));
    }
    return frozen;
  }

  /** Freezes what was in force then for the given members of a new revision. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void freeze(Period period, int revision, InForce then, Collection<String> members) {
    Map<String, Object> parameters =
        Map.of(
            "period", period.id(),
            "revision", revision,
            "at", then.at(),
            "lists", then.lists(),
            "members", members);
    if (!members.isEmpty()) {
      insertFrozen(parameters, "exclusion.member = any(:members::text[])");
    }
    markFrozen(parameters);
  }

  /**
   * Freezes what is in force now for the members that an amendment ranks. Replaces what was frozen
   * for it before.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void freeze(Period period, int revision) {
    Frozen frozen = freezeTime(period, definition(period.id(), revision));
    Map<String, Object> parameters =
        Map.of(
            "period", period.id(),
            "revision", revision,
            "at", frozen.at(),
            "lists", frozen.lists(),
            "closing", closingOutcome(period.id()));
    jdbc.sql("delete from frozen_exclusion where period_id = :period and revision = :revision")
        .params(parameters)
        .update();
    insertFrozen(parameters, HAS_LINE);
    markFrozen(parameters);
  }

  /** Returns the hash of the rules that a revision awards by. */
  private String definition(PeriodId period, int revision) {
    return jdbc.sql(
            """
            select definition_hash from revision
            where period_id = :period and revision = :revision
            """)
        .param("period", period)
        .param("revision", revision)
        .query(String.class)
        .single();
  }

  /** Returns the outcome of the closing, which has a line for every member. */
  private int closingOutcome(PeriodId period) {
    return jdbc.sql("select id from revision where period_id = :period and revision = 1")
        .param("period", period)
        .query(Integer.class)
        .single();
  }

  private void insertFrozen(Map<String, Object> parameters, String members) {
    jdbc.sql(FREEZE.formatted(members)).params(parameters).update();
  }

  private void markFrozen(Map<String, Object> parameters) {
    jdbc.sql(
            """
            update revision set frozen_at = :at
            where period_id = :period and revision = :revision
            """)
        .params(parameters)
        .update();
  }

  /**
   * Freezes what is in force now for a dry run, as if these members were hidden too. Does not block
   * other freezes, nor new exclusions.
   *
   * @param lists the lists that the rules of the dry run refer to
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void freezeForDryRun(
      Period period, int revision, List<String> lists, Collection<MemberId> hidden) {
    Map<String, Object> parameters =
        Map.of(
            "period", period.id(),
            "revision", revision,
            "closing", closingOutcome(period.id()));
    jdbc.sql(FREEZE.formatted(HAS_LINE))
        .params(parameters)
        .param("at", OffsetDateTime.MAX)
        .param("lists", lists)
        .update();
    jdbc.sql(
            """
            insert into frozen_exclusion (period_id, revision, member, level)
            select :period, :revision, member, 'hidden'
            from (
              select member from line where outcome = :closing
              union
              select member from amended_line where period_id = :period and revision = :revision
            ) known
            where member = any(:hidden)
            on conflict (period_id, revision, member) do update set level = 'hidden'
            """)
        .params(parameters)
        .param("hidden", hidden)
        .update();
  }
}

package palmares.period.exclusion;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.exclusion.Exclusion.Lift;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/** All exclusions that were ever made. */
@Component
public class Exclusions {
  /** Those of a {@code :period} at the time {@code :at}. */
  private static final String IN_FORCE =
      """
      from period
      join exclusion
        on exclusion.made_at < :at
        and coalesce(exclusion.lifted_at, 'infinity') >= :at
        and coalesce(exclusion.board, period.board) = period.board
        and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
        and coalesce(exclusion.ends_at, 'infinity') > period.starts_at
      where period.id = :period and %s
      order by exclusion.member, strength(exclusion.level), exclusion.id
      """;

  private static final String FREEZE =
      """
      insert into frozen_exclusion (
        period_id, revision, member, level, exclusion_id, board, starts_at, ends_at, reason,
        made_by)
      select distinct on (exclusion.member)
        period.id, :revision, exclusion.member, exclusion.level, exclusion.id, exclusion.board,
        exclusion.starts_at, exclusion.ends_at, exclusion.reason, exclusion.made_by
      """
          + IN_FORCE;

  private static final String OF_BASIS =
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
  private final AuditLog auditLog;

  Exclusions(JdbcClient jdbc, Clock clock, AuditLog auditLog) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.auditLog = auditLog;
  }

  /**
   * Makes an exclusion, and keeps the act.
   *
   * @throws ExclusionRefused if the same one is in force already
   */
  @Transactional
  public Exclusion exclude(Terms terms, String reason, String by) {
    Instant now = begin();
    same(terms).ifPresent(there -> refuse(there));
    auditLog.keep(act("exclude", by, terms, reason), now);
    long id =
        jdbc.sql(
                """
                insert into exclusion (
                  member, board, level, starts_at, ends_at, reason, made_by, made_at)
                values (
                  :member, :board::text, :level, :starts::timestamptz, :ends::timestamptz, :reason,
                  :by, :now)
                returning id
                """)
            .params(ExclusionRows.parameters(terms))
            .param("reason", reason)
            .param("by", by)
            .param("now", ExclusionRows.utc(now))
            .query(Long.class)
            .single();
    return find(id).orElseThrow();
  }

  private Instant begin() {
    return jdbc.sql("select begin_exclusion(:now)")
        .param("now", ExclusionRows.utc(clock.instant()))
        .query(OffsetDateTime.class)
        .single()
        .toInstant();
  }

  private static void refuse(Exclusion there) {
    throw new ExclusionRefused(
        "%s is excluded so already: exclusion %d of %s by %s (%s)"
            .formatted(there.terms().member(), there.id(), there.at(), there.by(), there.reason()));
  }

  private Optional<Exclusion> same(Terms terms) {
    return jdbc.sql(
            ExclusionRows.SELECT
                + """
                where lifted_at is null
                  and member = :member
                  and level = :level
                  and board is not distinct from :board::text
                  and starts_at is not distinct from :starts::timestamptz
                  and ends_at is not distinct from :ends::timestamptz
                """)
        .params(ExclusionRows.parameters(terms))
        .query(ExclusionRows::read)
        .optional();
  }

  /**
   * Takes an exclusion back, and keeps the act. What was frozen under it stays so.
   *
   * @throws ExclusionRefused if there is none, or it is lifted already
   */
  @Transactional
  public Exclusion lift(long id, String reason, String by) {
    Instant now = begin();
    Exclusion there =
        find(id).orElseThrow(() -> new ExclusionRefused("there is no exclusion " + id));
    Lift lift = there.lift();
    if (lift != null) {
      throw new ExclusionRefused(
          "exclusion %d of %s was lifted already, at %s by %s (%s)"
              .formatted(id, there.terms().member(), lift.at(), lift.by(), lift.reason()));
    }
    auditLog.keep(act("lift", by, there.terms(), reason), now);
    jdbc.sql(
            """
            update exclusion
            set lifted_by = :by, lifted_at = :now, lift_reason = :reason
            where id = :id
            """)
        .param("by", by)
        .param("now", ExclusionRows.utc(now))
        .param("reason", reason)
        .param("id", id)
        .update();
    return find(id).orElseThrow();
  }

  /**
   * Takes back all that is in force of a member.
   *
   * @param board only what was made for this one; null for all
   * @throws ExclusionRefused if there is nothing to lift
   */
  @Transactional
  public List<Exclusion> liftAll(
      MemberId member, @Nullable BoardId board, String reason, String by) {
    var lifted =
        list(member).stream()
            .filter(made -> made.lift() == null)
            .filter(made -> board == null || board.equals(made.terms().board()))
            .map(made -> lift(made.id(), reason, by))
            .toList();
    if (lifted.isEmpty()) {
      throw new ExclusionRefused(
          "nothing excludes %s%s: there is nothing to lift"
              .formatted(member, board == null ? "" : " from " + board + " alone"));
    }
    return lifted;
  }

  private static AuditEntry act(String verb, String by, Terms terms, String reason) {
    return new AuditEntry(
        by,
        verb,
        terms.board() == null ? null : terms.board().value(),
        null,
        null,
        terms.member().value(),
        reason);
  }

  /** The exclusion of that number. */
  public Optional<Exclusion> find(long id) {
    return jdbc.sql(ExclusionRows.SELECT + "where id = :id")
        .param("id", id)
        .query(ExclusionRows::read)
        .optional();
  }

  /**
   * All that were ever made, in their order.
   *
   * @param member only this one's; null for everybody's
   */
  public List<Exclusion> list(@Nullable MemberId member) {
    return jdbc.sql(ExclusionRows.SELECT + "where member = coalesce(:member, member) order by id")
        .param("member", member == null ? null : member.value())
        .query(ExclusionRows::read)
        .list();
  }

  /**
   * The exclusions that are in force for a period at a moment; later ones do not count.
   *
   * @param levels the strongest level of each member that is excluded
   */
  public record InForce(Instant at, Map<String, ExclusionLevel> levels) {}

  /** Takes the moment of a freeze: whoever is excluded from now on is excluded after it. */
  @Transactional(propagation = Propagation.MANDATORY)
  public InForce inForce(Period period) {
    OffsetDateTime at =
        jdbc.sql("select begin_freeze(:now)")
            .param("now", ExclusionRows.utc(clock.instant()))
            .query(OffsetDateTime.class)
            .single();
    var levels = new HashMap<String, ExclusionLevel>();
    jdbc.sql(
            "select distinct on (exclusion.member) exclusion.member, exclusion.level\n"
                + IN_FORCE.formatted("true"))
        .param("period", period.id().value())
        .param("at", at)
        .query(
            row -> {
              levels.put(row.getString("member"), ExclusionLevel.of(row.getString("level")));
            });
    return new InForce(at.toInstant(), levels);
  }

  /** Freezes what was in force then for those members that the revision has. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void freeze(Period period, int revision, InForce then, Collection<String> members) {
    freeze(
        Map.of(
            "period",
            period.id().value(),
            "revision",
            revision,
            "at",
            ExclusionRows.utc(then.at()),
            "members",
            members.toArray(String[]::new)),
        "exclusion.member = any(:members::text[])");
  }

  /**
   * Freezes what is in force now for the members that an amendment ranks, in place of what was
   * frozen for it before. It waits for nobody.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void freeze(Period period, int revision) {
    freeze(
        Map.of(
            "period",
            period.id().value(),
            "revision",
            revision,
            "at",
            ExclusionRows.utc(inForce(period).at()),
            "closing",
            closing(period.id())),
        OF_BASIS);
  }

  /** The outcome of the closing, whose lines are of all members. */
  private int closing(PeriodId period) {
    return jdbc.sql("select id from revision where period_id = :period and revision = 1")
        .param("period", period.value())
        .query(Integer.class)
        .single();
  }

  private void freeze(Map<String, Object> of, String members) {
    jdbc.sql("delete from frozen_exclusion where period_id = :period and revision = :revision")
        .params(of)
        .update();
    jdbc.sql(FREEZE.formatted(members)).params(of).update();
    jdbc.sql(
            """
            update revision set frozen_at = :at
            where period_id = :period and revision = :revision
            """)
        .params(of)
        .update();
  }

  /**
   * As {@link #freeze}, as if these members were hidden too, for a revision that is never posted:
   * keeps nobody from excluding or freezing.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void suppose(Period period, int revision, Collection<MemberId> hidden) {
    Map<String, Object> of =
        Map.of(
            "period", period.id().value(), "revision", revision, "closing", closing(period.id()));
    jdbc.sql(FREEZE.formatted(OF_BASIS)).params(of).param("at", OffsetDateTime.MAX).update();
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
        .params(of)
        .param("hidden", hidden.stream().map(MemberId::value).toArray(String[]::new))
        .update();
  }
}

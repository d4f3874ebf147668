package palmares.exclusion;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.act.Act;
import palmares.act.Acts;
import palmares.board.BoardId;
import palmares.board.MemberId;
import palmares.exclusion.Exclusion.Lift;
import palmares.exclusion.Exclusion.Terms;
import palmares.period.Period;

/** All exclusions that were ever made. */
@Component
public class Exclusions {
  private static final String FREEZE =
      """
      insert into frozen_exclusion (
        period_id, revision, member, level, exclusion_id, board, starts_at, ends_at, reason,
        made_by)
      select
        period_id, :revision, member, level, exclusion_id, board, starts_at, ends_at, reason,
        made_by
      from exclusion_in_force
      where period_id = :period
        and exists (
          select from basis
          where basis.period_id = :period
            and basis.revision = :revision
            and basis.member = exclusion_in_force.member)
      """;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Acts acts;

  Exclusions(JdbcClient jdbc, Clock clock, Acts acts) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.acts = acts;
  }

  /**
   * Makes an exclusion, and keeps the act.
   *
   * @throws ExclusionRefused if the same one is in force already
   */
  @Transactional
  public Exclusion exclude(Terms terms, String reason, String by) {
    // From here on nobody freezes: what is made is either frozen or later than the freeze.
    jdbc.sql("lock table exclusion in share row exclusive mode").update();
    same(terms).ifPresent(there -> refuse(there));
    Instant now = afterAllFreezes();
    acts.keep(act("exclude", by, terms, reason), now);
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
            .params(Rows.parameters(terms))
            .param("reason", reason)
            .param("by", by)
            .param("now", Rows.utc(now))
            .query(Long.class)
            .single();
    return find(id).orElseThrow();
  }

  /** Now, and after all that is frozen already: other processes' clocks may be ahead. */
  private Instant afterAllFreezes() {
    return jdbc.sql(
            """
            select greatest(:now::timestamptz, max(frozen_at) + interval '1 microsecond')
            from revision
            """)
        .param("now", Rows.utc(clock.instant()))
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
            Rows.SELECT
                + """
                where lifted_at is null
                  and member = :member
                  and level = :level
                  and board is not distinct from :board::text
                  and starts_at is not distinct from :starts::timestamptz
                  and ends_at is not distinct from :ends::timestamptz
                """)
        .params(Rows.parameters(terms))
        .query(Rows::read)
        .optional();
  }

  /**
   * Takes an exclusion back, and keeps the act. What was frozen under it stays so.
   *
   * @throws ExclusionRefused if there is none, or it is lifted already
   */
  @Transactional
  public Exclusion lift(long id, String reason, String by) {
    jdbc.sql("lock table exclusion in share row exclusive mode").update();
    Exclusion there =
        find(id).orElseThrow(() -> new ExclusionRefused("there is no exclusion " + id));
    Lift lift = there.lift();
    if (lift != null) {
      throw new ExclusionRefused(
          "exclusion %d of %s was lifted already, at %s by %s (%s)"
              .formatted(id, there.terms().member(), lift.at(), lift.by(), lift.reason()));
    }
    Instant now = afterAllFreezes();
    acts.keep(act("lift", by, there.terms(), reason), now);
    jdbc.sql(
            """
            update exclusion
            set lifted_by = :by, lifted_at = :now, lift_reason = :reason
            where id = :id
            """)
        .param("by", by)
        .param("now", Rows.utc(now))
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

  private static Act act(String verb, String by, Terms terms, String reason) {
    return new Act(
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
    return jdbc.sql(Rows.SELECT + "where id = :id").param("id", id).query(Rows::read).optional();
  }

  /**
   * All that were ever made, in their order.
   *
   * @param member only this one's; null for everybody's
   */
  public List<Exclusion> list(@Nullable MemberId member) {
    return jdbc.sql(Rows.SELECT + "where member = coalesce(:member, member) order by id")
        .param("member", member == null ? null : member.value())
        .query(Rows::read)
        .list();
  }

  /**
   * Keeps for ever what is in force for those whom a revision ranks, in place of what was frozen
   * for it before. Until the transaction ends, nobody is excluded and nothing lifted. The freeze is
   * later than all that was said before it, whatever the clocks of those who said it.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void freeze(Period period, int revision) {
    jdbc.sql("lock table exclusion in share mode").update();
    Map<String, Object> of = Map.of("period", period.id().value(), "revision", revision);
    jdbc.sql("delete from frozen_exclusion where period_id = :period and revision = :revision")
        .params(of)
        .update();
    jdbc.sql(FREEZE).params(of).update();
    jdbc.sql(
            """
            update revision
            set frozen_at = greatest(
              :now::timestamptz,
              (select greatest(max(made_at), max(lifted_at)) + interval '1 microsecond'
                from exclusion))
            where period_id = :period and revision = :revision
            """)
        .params(of)
        .param("now", Rows.utc(clock.instant()))
        .update();
  }

  /**
   * As {@link #freeze}, as if these members were hidden too, for a revision that is never posted:
   * keeps nobody from excluding or freezing.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void suppose(Period period, int revision, Collection<MemberId> hidden) {
    Map<String, Object> of = Map.of("period", period.id().value(), "revision", revision);
    jdbc.sql(FREEZE).params(of).update();
    jdbc.sql(
            """
            insert into frozen_exclusion (period_id, revision, member, level)
            select :period, :revision, member, 'hidden'
            from basis
            where period_id = :period and revision = :revision and member = any(:hidden)
            on conflict (period_id, revision, member) do update set level = 'hidden'
            """)
        .params(of)
        .param("hidden", hidden.stream().map(MemberId::value).toArray(String[]::new))
        .update();
  }
}

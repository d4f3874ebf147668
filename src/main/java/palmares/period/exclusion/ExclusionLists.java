package palmares.period.exclusion;

import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.PeriodName;

/** Reads the exclusions that are in force now, regardless of what was frozen before. */
@Component
public class ExclusionLists {
  private final JdbcClient jdbc;
  private final KnownMembers knownMembers;
  private final Clock clock;

  ExclusionLists(JdbcClient jdbc, KnownMembers knownMembers, Clock clock) {
    this.jdbc = jdbc;
    this.knownMembers = knownMembers;
    this.clock = clock;
  }

  /**
   * The excluded members of a period.
   *
   * @param number counts exclusions made and lifted for the board; levels change only with it
   * @param levels the strongest level of each member
   */
  public record InForce(long number, Map<MemberId, ExclusionLevel> levels) {}

  public InForce inForce(Period period) {
    var levels = new LinkedHashMap<MemberId, ExclusionLevel>();
    long number = 0;
    for (Excluded row : excluded(period)) {
      number = row.number();
      if (row.member() != null && row.level() != null) {
        levels.put(row.member(), row.level());
      }
    }
    return new InForce(number, levels);
  }

  private record Excluded(long number, @Nullable MemberId member, @Nullable ExclusionLevel level) {}

  private List<Excluded> excluded(Period period) {
    return jdbc.sql(
            """
            with change_count as (
              select count(*) + count(lifted_at) as number
              from exclusion
              where coalesce(board, :board) = :board
            )
            select change_count.number, present.member, present.level
            from change_count
            left join exclusion_in_force present on present.period_id = :period
            """)
        .param("board", period.board())
        .param("period", period.id())
        .query(Excluded.class)
        .list();
  }

  /**
   * A period in which a member's frozen level differs from the level in force. An amendment of the
   * period would apply the latter.
   *
   * @param frozen null if the member was not excluded when the period was ranked
   * @param present null if the member is not excluded now
   */
  public record Outdated(
      PeriodId id,
      BoardId board,
      PeriodName period,
      Instant startsAt,
      PeriodState state,
      @Nullable ExclusionLevel frozen,
      @Nullable ExclusionLevel present) {}

  /** Finds the periods that have a line of the member and would rank it differently now. */
  public List<Outdated> outdated(MemberId member) {
    return outdated(member, null);
  }

  /**
   * Finds the settled periods that an exclusion touches, lifted or not: those in its scope that
   * have a line of its member and would rank it differently now. Ordered by start.
   */
  public List<Outdated> settledAndOutdatedBy(Exclusion exclusion) {
    return outdated(exclusion.terms().member(), exclusion.id()).stream()
        .filter(period -> period.state().isSettled())
        .toList();
  }

  /**
   * Finds the periods that are being closed, and may have been ranked before these exclusions were
   * made or lifted: those in the scope of one that have an event of its member, or have none at
   * all, as adopted boards.
   *
   * @return their labels
   */
  public List<String> beingRanked(Collection<Long> exclusions) {
    return jdbc.sql(
            """
            select distinct period.board || ' ' || period.name as label
            from period
            join definition on definition.hash = period.definition_hash
            join exclusion
              on exclusion.id = any(:exclusions)
              and coalesce(exclusion.board, period.board) = period.board
              and (exclusion.list is null or exclusion.list = any(definition.lists))
              and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
              and coalesce(exclusion.ends_at, 'infinity') > period.starts_at
            where period.state = 'sealed'
              and period.lease_until > :now
              and (period.sealed_events = 0
                or exists (
                  select from event
                  where event.period_id = period.id and event.member = exclusion.member))
            order by label
            """)
        .param("exclusions", exclusions)
        .param("now", clock.instant())
        .query(String.class)
        .list();
  }

  /** Lets nobody exclude or lift until the end of the transaction. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void blockChanges() {
    jdbc.sql("select 1 from pg_advisory_xact_lock(hashtextextended('exclusions', 0))")
        .query(Integer.class)
        .single();
  }

  /**
   * A member whom a closing ranks otherwise than the exclusions in force now would.
   *
   * @param frozen null if it was not excluded when the closing was ranked
   * @param present null if it is not excluded now
   */
  public record Reranked(
      String member, @Nullable ExclusionLevel frozen, @Nullable ExclusionLevel present) {}

  /**
   * Finds the members of a closing whose exclusions were made or lifted since it was ranked, and
   * change its ranks or prizes. Ordered by member.
   *
   * @param outcome the outcome of the closing
   */
  public List<Reranked> rerankedSince(PeriodId period, int outcome) {
    List<Reranked> changed =
        jdbc.sql(
                """
                select changed.member, frozen.level as frozen, present.level as present
                from (
                  select exclusion.member
                  from revision
                  join exclusion on exclusion.made_at >= revision.frozen_at
                  where revision.id = :outcome
                  union
                  select exclusion.member
                  from revision
                  join exclusion on exclusion.lifted_at >= revision.frozen_at
                  where revision.id = :outcome
                ) changed
                left join frozen_exclusion frozen
                  on frozen.period_id = :period
                  and frozen.revision = 1
                  and frozen.member = changed.member
                left join lateral (
                  select level from exclusion_in_force
                  where period_id = :period and member = changed.member
                ) present on true
                where frozen.level is distinct from present.level
                order by changed.member
                """)
            .param("period", period)
            .param("outcome", outcome)
            .query(Reranked.class)
            .list();
    if (changed.isEmpty()) {
      return changed;
    }
    Set<String> known =
        knownMembers.membersIn(outcome, changed.stream().map(Reranked::member).toList());
    return changed.stream().filter(one -> known.contains(one.member())).toList();
  }

  /** A held closing, and the number of its outcome. */
  public record HeldBefore(PeriodId period, int outcome) {}

  /** Finds held closings that were ranked before the last exclusion was made or lifted. */
  public List<HeldBefore> heldBeforeChanges() {
    return jdbc.sql(
            """
            select period.id as period, revision.id as outcome
            from period
            join revision on revision.period_id = period.id and revision.revision = 1
            where period.state = 'held'
              and (exists (select from exclusion where made_at >= revision.frozen_at)
                or exists (select from exclusion where lifted_at >= revision.frozen_at))
            order by period.id
            """)
        .query(HeldBefore.class)
        .list();
  }

  /**
   * Finds the members whom a revision ranks with an exclusion that was lifted since, and whom the
   * one that it amends does not rank so.
   */
  public List<String> liftedSince(PeriodId period, int revision, int base) {
    return jdbc.sql(
            """
            select frozen.member
            from frozen_exclusion frozen
            join exclusion on exclusion.id = frozen.exclusion_id and exclusion.lifted_at is not null
            where frozen.period_id = :period
              and frozen.revision = :revision
              and not exists (
                select from frozen_exclusion former
                where former.period_id = :period
                  and former.revision = :base
                  and former.member = frozen.member
                  and former.level = frozen.level)
            order by frozen.member
            """)
        .param("period", period)
        .param("revision", revision)
        .param("base", base)
        .query(String.class)
        .list();
  }

  /**
   * Finds the members to whom a revision gives a first line, and who were excluded since, or more
   * than it ranks them.
   *
   * @param base the revision that it amends
   */
  public List<MemberId> madeSince(PeriodId period, int revision, int base) {
    record Added(String member, int closing) {}
    return jdbc
        .sql(
            """
            select distinct added.member, closing.id as closing
            from amended_line added
            join period on period.id = added.period_id
            join revision
              on revision.period_id = added.period_id and revision.revision = added.revision
            join revision closing on closing.period_id = period.id and closing.revision = 1
            join definition on definition.hash = revision.definition_hash
            join exclusion
              on exclusion.member = added.member
              and exclusion.lifted_at is null
              and coalesce(exclusion.board, period.board) = period.board
              and (exclusion.list is null or exclusion.list = any(definition.lists))
              and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
              and coalesce(exclusion.ends_at, 'infinity') > period.starts_at
            where added.period_id = :period
              and added.revision = :revision
              and not exists (
                select from amended_line former
                where former.period_id = :period
                  and former.revision = :base
                  and former.member = added.member)
              and not exists (
                select from frozen_exclusion frozen
                where frozen.period_id = :period
                  and frozen.revision = :revision
                  and frozen.member = added.member
                  and strength(frozen.level) <= strength(exclusion.level))
            order by added.member
            """)
        .param("period", period)
        .param("revision", revision)
        .param("base", base)
        .query(Added.class)
        .list()
        .stream()
        .filter(
            added ->
                knownMembers
                    .outcomesWith(new MemberId(added.member()), List.of(added.closing()))
                    .isEmpty())
        .map(added -> new MemberId(added.member()))
        .toList();
  }

  private List<Outdated> outdated(MemberId member, @Nullable Long exclusion) {
    List<Changed> changed = changed(member, exclusion);
    Set<Integer> outcomes =
        knownMembers.outcomesWith(member, changed.stream().map(Changed::closing).toList());
    return changed.stream()
        .filter(one -> one.amended() || outcomes.contains(one.closing()))
        .map(Changed::period)
        .toList();
  }

  /**
   * A period for which the member's level has changed, whether it has a line there or not.
   *
   * @param closing the outcome of the closing, which has a line for every member of the frozen
   *     board
   * @param amended whether the current revision has an amended line for the member
   */
  private record Changed(Outdated period, int closing, boolean amended) {}

  private List<Changed> changed(MemberId member, @Nullable Long exclusion) {
    return jdbc.sql(
            """
            select
              period.id, period.board, period.name as period, period.starts_at, period.state,
              frozen.level as frozen, present.level as present,
              closing.id as closing,
              exists (
                select from amended_line
                where amended_line.period_id = period.id
                  and amended_line.revision = period.revision
                  and amended_line.member = :member) as amended
            from period
            join revision closing on closing.period_id = period.id and closing.revision = 1
            left join frozen_exclusion frozen
              on frozen.period_id = period.id
              and frozen.revision = period.revision
              and frozen.member = :member
            left join exclusion_in_force present
              on present.period_id = period.id and present.member = :member
            where freezes_exclusions(period.state)
              and frozen.level is distinct from present.level
              and (:exclusion::bigint is null
                or exists (
                  select from exclusion
                  join revision ranked
                    on ranked.period_id = period.id and ranked.revision = period.revision
                  join definition on definition.hash = ranked.definition_hash
                  where exclusion.id = :exclusion
                    and coalesce(exclusion.board, period.board) = period.board
                    and (exclusion.list is null or exclusion.list = any(definition.lists))
                    and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
                    and coalesce(exclusion.ends_at, 'infinity') > period.starts_at))
            order by period.starts_at, period.board
            """)
        .param("exclusion", exclusion)
        .param("member", member)
        .query(Changed.class)
        .list();
  }

  /**
   * A period that is not ranked yet and has a live board.
   *
   * @param number as in {@link InForce}
   */
  public record Listed(PeriodId id, BoardId board, PeriodName period, long number) {}

  /** Finds periods with live boards that are not ranked yet, on boards that had an exclusion. */
  public List<Listed> unranked() {
    return jdbc.sql(
            """
            with change_count as (
              select board, count(*) + count(lifted_at) as number from exclusion group by board
            )
            select id, board, name as period, number
            from period
            cross join lateral (
              select sum(change_count.number) as number
              from change_count
              where coalesce(change_count.board, period.board) = period.board
            ) own
            where live_at is not null
              and not freezes_exclusions(state)
              and number > 0
            order by id
            """)
        .query(Listed.class)
        .list();
  }
}

package palmares.operations.report;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.report.Outcomes.SettledPeriod;
import palmares.period.BoardDefinitions;
import palmares.rules.board.BoardId;

/**
 * Ranks the members of a board over all of its settled periods. It adds up a few periods in each
 * statement, in temporary tables: neither memory nor the number of locks grows with the history.
 */
@Component
public class HallOfFame {
  private static final int PODIUM_PLACES = 3;

  private static final String CREATE =
      """
      create temporary table fame_line (
        outcome int, place int, rank int, member text collate "C", points bigint);
      create temporary table fame_credit (
        member text collate "C", currency text, credits numeric,
        primary key (member, currency))
      """;

  /** The best lines of each period are enough: a member is behind all who are ahead of it there. */
  private static final String ADD_LINES =
      """
      insert into fame_line
      select outcome, best.*
      from unnest(:outcomes::int[]) as slice (outcome)
      cross join lateral best_lines(outcome, :count, :podium) best
      """;

  private static final String ADD_CREDITS =
      """
      insert into fame_credit as before
      select member, currency, sum(credits) from award_changes(:parts::int[]) group by 1, 2
      on conflict (member, currency) do update set credits = before.credits + excluded.credits
      """;

  private static final String RANK =
      """
      with best as (
        select distinct on (member) member, points, starts_at, name
        from fame_line
        join revision on revision.id = fame_line.outcome
        join period on period.id = revision.period_id
        order by member, :direction * points, starts_at
      ), counted as (
        select 1 as category, 'wins' as most, member, null as currency, count(*) as number,
          null as period, -count(*)::numeric as level, null::timestamptz as since
        from fame_line where rank = 1 group by member
        union all
        select 2, 'podiums', member, null, count(*), null, -count(*), null
        from fame_line where rank <= :podium group by member
        union all
        select 3, 'awards', member, currency, credits, null, -credits, null
        from fame_credit where credits > 0
        union all
        select 4, 'points', member, null, points, name, :direction * points, starts_at
        from best
      ), numbered as (
        select *,
          rank() over (partition by category, currency order by level) as rank,
          row_number() over (
            partition by category, currency order by level, since, member) as line
        from counted
      )
      select most, currency, rank, member, number, period
      from numbered
      where line <= :count
      order by category, currency, line
      """;

  private final JdbcOperations database;
  private final Outcomes outcomes;
  private final BoardDefinitions definitions;

  HallOfFame(JdbcOperations database, Outcomes outcomes, BoardDefinitions definitions) {
    this.database = database;
    this.outcomes = outcomes;
    this.definitions = definitions;
  }

  /**
   * One line of a hall of fame.
   *
   * @param most wins (rank 1), podiums (rank 3 or better), awards (their sum in a currency) or
   *     points (a member's best in one period, by the rules of the latest one)
   * @param currency of awards; else null
   * @param rank equal numbers share a rank, and the next one is skipped
   * @param period the first in which the member had these points; else null
   */
  public record FameLine(
      String most,
      @Nullable String currency,
      long rank,
      String member,
      BigDecimal number,
      @Nullable String period) {}

  /**
   * Ranks the members, by wins, podiums, awards in each currency, and points. Hidden members and
   * those without a rank have no wins, podiums or points.
   *
   * @param count the largest number of lines of each kind; at least 1. Of equal ones, those with
   *     the earlier period or the smaller id are shown
   */
  public List<FameLine> of(BoardId board, int count) {
    List<SettledPeriod> latest = outcomes.settledBefore(board, null, 1);
    if (latest.isEmpty()) {
      return List.of();
    }
    String rules = latest.get(0).definitionHash();
    int direction = definitions.of(board, rules).scale().scoring().fewestWin() ? 1 : -1;
    return OwnConnection.with(
        database,
        CREATE,
        "drop table fame_line, fame_credit",
        own -> {
          add(own.jdbc(), board, count);
          return ranked(own.jdbc(), count, direction);
        });
  }

  /** Adds up all periods. */
  private static void add(JdbcClient jdbc, BoardId board, int count) {
    var outcomes = new Outcomes(jdbc);
    @Nullable Instant time = null;
    List<SettledPeriod> slice;
    do {
      slice = outcomes.settledBefore(board, time, MemberHistory.PERIODS_PER_STATEMENT);
      if (slice.isEmpty()) {
        return;
      }
      jdbc.sql(ADD_LINES)
          .param("outcomes", slice.stream().map(period -> period.outcome().id()).toList())
          .param("count", count)
          .param("podium", PODIUM_PLACES)
          .update();
      jdbc.sql(ADD_CREDITS)
          .param(
              "parts", slice.stream().flatMap(period -> period.outcome().parts().stream()).toList())
          .update();
      time = slice.get(slice.size() - 1).startsAt();
    } while (slice.size() == MemberHistory.PERIODS_PER_STATEMENT);
  }

  private static List<FameLine> ranked(JdbcClient jdbc, int count, int direction) {
    return jdbc.sql(RANK)
        .param("count", count)
        .param("podium", PODIUM_PLACES)
        .param("direction", direction)
        .query(FameLine.class)
        .list();
  }
}

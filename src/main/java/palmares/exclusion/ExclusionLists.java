package palmares.exclusion;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.board.BoardId;
import palmares.board.MemberId;
import palmares.calendar.PeriodName;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;

/** Who is excluded from which period as things are now, whatever was frozen before. */
@Component
public class ExclusionLists {
  private final JdbcClient jdbc;

  ExclusionLists(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Who is excluded from a period.
   *
   * @param number counts what was made and lifted that concerns the board: as long as it is the
   *     same, so are the levels
   * @param levels of each member the strongest
   */
  public record InForce(long number, Map<MemberId, Level> levels) {}

  /** Who is excluded from a period as things are now. */
  public InForce inForce(Period period) {
    var levels = new LinkedHashMap<MemberId, Level>();
    long[] number = {0};
    jdbc.sql(
            """
            with told as (
              select count(*) + count(lifted_at) as number
              from exclusion
              where coalesce(board, :board) = :board
            )
            select told.number, present.member, present.level
            from told
            left join exclusion_in_force present on present.period_id = :period
            """)
        .param("board", period.board().value())
        .param("period", period.id().value())
        .query(
            row -> {
              number[0] = row.getLong("number");
              if (row.getString("member") != null) {
                levels.put(new MemberId(row.getString("member")), Level.of(row.getString("level")));
              }
            });
    return new InForce(number[0], levels);
  }

  /**
   * A period that was ranked under another list than there is now; an amendment would follow it.
   *
   * @param frozen the level that the member was ranked under; null if it was not excluded
   * @param present the level that is in force now; null if it is not excluded
   */
  public record Outdated(
      BoardId board,
      PeriodName period,
      PeriodState state,
      @Nullable Level frozen,
      @Nullable Level present) {}

  /** The periods in which the member stands, and was ranked otherwise than it would be now. */
  public List<Outdated> outdated(MemberId member) {
    return jdbc.sql(
            """
            select period.board, period.name, period.state, frozen.level as frozen, present.level
            from period
            left join frozen_exclusion frozen
              on frozen.period_id = period.id
              and frozen.revision = period.revision
              and frozen.member = :member
            left join exclusion_in_force present
              on present.period_id = period.id and present.member = :member
            where period.state not in ('open', 'sealed', 'rejected')
              and frozen.level is distinct from present.level
              and has_line(period.id, period.revision, :member)
            order by period.starts_at, period.board
            """)
        .param("member", member.value())
        .query(
            (row, n) ->
                new Outdated(
                    new BoardId(row.getString("board")),
                    new PeriodName(row.getString("name")),
                    PeriodState.of(row.getString("state")),
                    level(row.getString("frozen")),
                    level(row.getString("level"))))
        .list();
  }

  private static @Nullable Level level(@Nullable String word) {
    return word == null ? null : Level.of(word);
  }

  /**
   * A period that is not ranked yet, and has a live board.
   *
   * @param number that of its list, as {@link InForce} has it
   */
  public record Listed(PeriodId id, BoardId board, PeriodName period, long number) {}

  /** The periods with live boards that are not ranked yet, where anybody was ever excluded. */
  public List<Listed> unranked() {
    return jdbc.sql(
            """
            with told as (
              select board, count(*) + count(lifted_at) as number from exclusion group by board
            )
            select id, board, name, number
            from period
            cross join lateral (
              select sum(told.number) as number
              from told
              where coalesce(told.board, period.board) = period.board
            ) own
            where live_at is not null
              and state in ('open', 'sealed', 'rejected')
              and number > 0
            order by id
            """)
        .query(
            (row, n) ->
                new Listed(
                    new PeriodId(row.getLong("id")),
                    new BoardId(row.getString("board")),
                    new PeriodName(row.getString("name")),
                    row.getLong("number")))
        .list();
  }
}

package palmares.period.exclusion;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.PeriodName;

/** Who is excluded from which period as things are now, whatever was frozen before. */
@Component
public class ExclusionLists {
  private final JdbcClient jdbc;
  private final MemberOutcomes memberOutcomes;

  ExclusionLists(JdbcClient jdbc, MemberOutcomes memberOutcomes) {
    this.jdbc = jdbc;
    this.memberOutcomes = memberOutcomes;
  }

  /**
   * Who is excluded from a period.
   *
   * @param number counts what was made and lifted that concerns the board: as long as it is the
   *     same, so are the levels
   * @param levels of each member the strongest
   */
  public record InForce(long number, Map<MemberId, ExclusionLevel> levels) {}

  /** Who is excluded from a period as things are now. */
  public InForce inForce(Period period) {
    var levels = new LinkedHashMap<MemberId, ExclusionLevel>();
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
                levels.put(
                    new MemberId(row.getString("member")),
                    ExclusionLevel.of(row.getString("level")));
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
      @Nullable ExclusionLevel frozen,
      @Nullable ExclusionLevel present) {}

  /** The periods in which the member stands, and was ranked otherwise than it would be now. */
  public List<Outdated> outdated(MemberId member) {
    List<Changed> changed = changed(member);
    Set<Integer> outcomes =
        memberOutcomes.among(member, changed.stream().map(Changed::closing).toList());
    return changed.stream()
        .filter(one -> one.amended() || outcomes.contains(one.closing()))
        .map(Changed::period)
        .toList();
  }

  /**
   * A period under whose present list the member would have another level, if it stands there.
   *
   * @param closing the outcome of the closing, which has a line for everybody on the frozen board
   * @param amended whether the revision that stands has another line for the member
   */
  private record Changed(Outdated period, int closing, boolean amended) {}

  private List<Changed> changed(MemberId member) {
    return jdbc.sql(
            """
            select
              period.board, period.name, period.state, frozen.level as frozen, present.level,
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
            where period.state not in ('open', 'sealed', 'rejected')
              and frozen.level is distinct from present.level
            order by period.starts_at, period.board
            """)
        .param("member", member.value())
        .query(
            (row, n) ->
                new Changed(
                    new Outdated(
                        new BoardId(row.getString("board")),
                        new PeriodName(row.getString("name")),
                        PeriodState.of(row.getString("state")),
                        level(row.getString("frozen")),
                        level(row.getString("level"))),
                    row.getInt("closing"),
                    row.getBoolean("amended")))
        .list();
  }

  private static @Nullable ExclusionLevel level(@Nullable String word) {
    return word == null ? null : ExclusionLevel.of(word);
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

package palmares.operations.explain;

import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.Scale;

/**
 * Counts the lines of an outcome that have as many points as a member's. Lines are stored in the
 * order of their points, so that both ends of such a group are found by halving the places, however
 * many lines there are.
 */
@Component
class EqualLines {
  private static final String UNRANKED = "there.rank is null";
  private static final String NOT_MORE_POINTS = ":sign * there.points <= :sign * :points";
  private static final String FEWER_POINTS = ":sign * there.points < :sign * :points";
  private static final String NOT_BETTER =
      "(:sign * there.points, :then_sign * there.then_by)"
          + " <= (:sign * :points, :then_sign * :then_by)";
  private static final String WORSE = NOT_BETTER.replace("<=", "<");

  private final JdbcClient jdbc;

  EqualLines(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Points, and on boards with a second key that too. */
  record Level(Scale scale, long points, long thenBy) {
    private Map<String, Object> parameters() {
      return Map.of(
          "points",
          points,
          "then_by",
          thenBy,
          "sign",
          scale.scoring().fewestWin() ? -1 : 1,
          "then_sign",
          scale.fewestThen() ? -1 : 1);
    }
  }

  /** How many lines with a rank have exactly this level. */
  long ranked(int outcome, Level level) {
    long behind = firstUnranked(outcome, level);
    return first(outcome, level, WORSE, 1, behind) - first(outcome, level, NOT_BETTER, 1, behind);
  }

  /** How many lines have as many points, those without a rank and of another second key too. */
  long withPoints(int outcome, Level level) {
    long behind = firstUnranked(outcome, level);
    return withPoints(outcome, level, 1, behind) + withPoints(outcome, level, behind, end(outcome));
  }

  private long withPoints(int outcome, Level level, long from, long to) {
    return first(outcome, level, FEWER_POINTS, from, to)
        - first(outcome, level, NOT_MORE_POINTS, from, to);
  }

  private long firstUnranked(int outcome, Level level) {
    return first(outcome, level, UNRANKED, 1, end(outcome));
  }

  /** One place past the last line. */
  private long end(int outcome) {
    return jdbc.sql(
            "select place from standing where outcome = :outcome order by place desc limit 1")
        .param("outcome", outcome)
        .query(Long.class)
        .optional()
        .map(place -> place + 1)
        .orElse(1L);
  }

  /**
   * The first place of which a condition is true, if it stays true of all places behind it.
   *
   * @param from the first place that it may be
   * @param to what to return if it is true of no place before this one
   */
  private long first(int outcome, Level level, String condition, long from, long to) {
    return jdbc.sql(
            """
            with recursive narrow (low, high) as (
              select cast(:from as bigint), cast(:to as bigint)
              union all
              select
                case when there.found then low else middle + 1 end,
                case when there.found then middle else high end
              from narrow
              cross join lateral (select (low + high) / 2 as middle) half
              cross join lateral (
                select %s as found from standing there where outcome = :outcome and place = middle
              ) there
              where low < high
            )
            select low from narrow where low = high
            """
                .formatted(condition))
        .params(level.parameters())
        .param("outcome", outcome)
        .param("from", from)
        .param("to", to)
        .query(Long.class)
        .single();
  }
}

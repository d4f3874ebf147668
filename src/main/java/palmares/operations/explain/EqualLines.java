package palmares.operations.explain;

import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.Scale;

/**
 * Counts the lines of an outcome with equal points. Lines are ordered by points, so both ends of a
 * group are found by binary search over places.
 */
@Component
class EqualLines {
  private static final String UNRANKED = "candidate.rank is null";
  private static final String NOT_MORE_POINTS = ":sign * candidate.points <= :sign * :points";
  private static final String FEWER_POINTS = ":sign * candidate.points < :sign * :points";
  private static final String NOT_BETTER =
      "(:sign * candidate.points, :then_sign * candidate.then_by)"
          + " <= (:sign * :points, :then_sign * :then_by)";
  private static final String WORSE = NOT_BETTER.replace("<=", "<");

  private final JdbcClient jdbc;

  EqualLines(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Points, and the second key on boards that have one. */
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

  /** The number of lines with a rank that have this level. */
  long ranked(int outcome, Level level) {
    long behind = firstUnranked(outcome, level);
    return first(outcome, level, WORSE, 1, behind) - first(outcome, level, NOT_BETTER, 1, behind);
  }

  /** The number of lines with equal points, of any second key, with or without a rank. */
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
   * The first place for which a condition holds. It must hold for all places after it.
   *
   * @param from the first place to search
   * @param to the end of the search, returned if the condition holds for no place before it
   */
  private long first(int outcome, Level level, String condition, long from, long to) {
    return jdbc.sql(
            """
            with recursive narrow (low, high) as (
              select cast(:from as bigint), cast(:to as bigint)
              union all
              select
                case when candidate.found then low else middle + 1 end,
                case when candidate.found then middle else high end
              from narrow
              cross join lateral (select (low + high) / 2 as middle) half
              cross join lateral (
                select %s as found
                from standing candidate
                where outcome = :outcome and place = middle
              ) candidate
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

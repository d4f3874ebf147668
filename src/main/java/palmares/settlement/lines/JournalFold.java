package palmares.settlement.lines;

import palmares.rules.board.Scale;
import palmares.rules.board.Scoring;

/**
 * Builds the SQL that derives each member's line from the journal of a {@code :period}: {@code
 * member, points, then_by, arrival, reached_at}. Times are cut to a {@code :tick} in microseconds.
 * It is a number, since the planner would parse the text of an interval again for each member.
 */
final class JournalFold {
  private static final String TIME =
      "date_bin(:tick * interval '1 microsecond', occurred_at, 'epoch')";

  private JournalFold() {}

  static String sql(Scale scale) {
    boolean arrivals = scale.tiebreak().byArrival();
    String time = arrivals ? "" : TIME + " %s, ";
    return switch (scale.scoring()) {
      case ADD -> added(arrivals);
      case BEST, LOWEST_BEST -> chosen(better(scale) + time.formatted("asc") + "seq", arrivals);
      case LATEST -> chosen(time.formatted("desc") + "seq desc", arrivals);
    };
  }

  /**
   * As {@link #sql}, with the number of a member's {@code events}, of which some may not count. The
   * points are null if none counts.
   */
  static String withEvents(Scale scale) {
    if (scale.scoring() == Scoring.ADD) {
      return addedOfAll(scale.tiebreak().byArrival());
    }
    return """
    select *, 0 as events from (
    %s) derived
    union all
    select '', null, null, null, null, count(*) from event where period_id = :period
    """
        .formatted(sql(scale));
  }

  /**
   * Reads events that do not count as well, so that all are counted in the same pass. A constraint
   * of the table says that those change no points.
   */
  private static String addedOfAll(boolean arrivals) {
    return """
    select
      member,
      case when max(occurred_at) filter (where counts) is not null then exact_sum(points) end
        as points,
      exact_sum(then_by) filter (where counts) as then_by,
      %s as arrival,
      %s as reached_at,
      count(*) as events
    from (
      select member, seq, points, then_by, occurred_at, outcome in ('applied', 'undone') as counts
      from event
      where period_id = :period
      offset 0 -- As in a fold without the events that do not count.
    ) event
    group by member
    """
        .formatted(
            arrivals ? "max(seq) filter (where counts)" : "0",
            arrivals
                ? "(array_agg(%s order by seq desc) filter (where counts))[1]".formatted(TIME)
                : TIME.replace("occurred_at", "max(occurred_at) filter (where counts)"));
  }

  /** Selects the sum of all changes, and the latest one. */
  private static String added(boolean arrivals) {
    String latest = "(array_agg(%s order by seq desc))[1]".formatted(TIME);
    return """
    select
      member,
      exact_sum(points) as points,
      exact_sum(then_by) as then_by,
      %s as arrival,
      %s as reached_at
    from (
      select member, seq, points, then_by, occurred_at
      from event
      where period_id = :period and outcome in ('applied', 'undone')
      offset 0 -- Without it, millions of events are fetched one by one in the order of an index.
    ) event
    group by member
    """
        .formatted(
            arrivals ? "max(seq)" : "0",
            arrivals ? latest : TIME.replace("occurred_at", "max(occurred_at)"));
  }

  /** Selects the one event that counts. */
  private static String chosen(String order, boolean arrivals) {
    return """
    select distinct on (member)
      member,
      value as points,
      then_by,
      %s as arrival,
      %s as reached_at
    from event
    where period_id = :period and outcome in ('applied', 'unchanged')
    order by member, %s
    """
        .formatted(arrivals ? "seq" : "0", TIME, order);
  }

  private static String better(Scale scale) {
    return "value %s, then_by %s, "
        .formatted(
            scale.scoring().fewestWin() ? "asc" : "desc", scale.fewestThen() ? "asc" : "desc");
  }
}

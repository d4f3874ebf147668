package palmares.standing;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.board.Holding;
import palmares.bulk.BulkLoad;
import palmares.exclusion.Exclusions;
import palmares.exclusion.Exclusions.InForce;
import palmares.exclusion.Level;
import palmares.live.FrozenBoard;
import palmares.period.Period;
import palmares.standing.LineRows.Totals;

/**
 * Writes the lines of a closing from its frozen board. Redis keeps the one order, so that places
 * and ranks are numbered as the lines pass; hidden members get no place, and unranked ones stand
 * behind all others. The scores of an adopted board need not keep that order: its lines are ranked
 * by {@link Ranking}.
 */
@Component
class FrozenLines {
  private static final int PAGE = 10_000;

  private final FrozenBoard frozen;
  private final Arrivals arrivals;
  private final Exclusions exclusions;
  private final Ranking ranking;
  private final BulkLoad bulk;
  private final JdbcClient jdbc;

  FrozenLines(
      FrozenBoard frozen,
      Arrivals arrivals,
      Exclusions exclusions,
      Ranking ranking,
      BulkLoad bulk,
      JdbcClient jdbc) {
    this.frozen = frozen;
    this.arrivals = arrivals;
    this.exclusions = exclusions;
    this.ranking = ranking;
    this.bulk = bulk;
    this.jdbc = jdbc;
  }

  /**
   * Writes the lines, and freezes the exclusions of those who are on the board.
   *
   * @param revision whose lines they are
   * @param outcome its number
   * @param progress is run after each page
   * @throws Mismatch if the board is not in its order
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Totals write(
      Period period, int revision, int outcome, Board board, Runnable progress) {
    InForce excluded = exclusions.inForce(period);
    if (board.adoption() != null) {
      return adopted(period, revision, outcome, board, excluded, progress);
    }
    var blocks = new ArrayList<byte[]>();
    var rows = new LineRows(outcome, blocks::add);
    Set<String> present = number(period, board, excluded, rows, progress);
    Totals totals = rows.finish();
    bulk.blocks("line " + LineRows.COLUMNS, blocks);
    exclusions.freeze(period, revision, excluded, present);
    return totals;
  }

  /** Answers the members on the board who are excluded. */
  private Set<String> number(
      Period period, Board board, InForce excluded, LineRows rows, Runnable progress) {
    var present = new HashSet<String>();
    var unranked = new ArrayList<Holding>();
    var places = new Places(board);
    try {
      pages(
          period,
          board,
          progress,
          line -> {
            Level level = excluded.levels().get(line.member());
            if (level != null) {
              present.add(line.member());
            }
            if (level == Level.HIDDEN) {
              rows.add(null, null, line);
            } else if (level == Level.UNRANKED) {
              unranked.add(line);
            } else {
              places.ranked(line);
              rows.add(places.place(), places.rank(), line);
            }
          });
    } catch (Places.OutOfOrder e) {
      throw new Mismatch(period, List.of(String.valueOf(e.getMessage())));
    }
    for (Holding line : unranked) {
      places.unranked();
      rows.add(places.place(), null, line);
    }
    return present;
  }

  private void pages(Period period, Board board, Runnable progress, Consumer<Holding> line) {
    List<Holding> page;
    long from = 0;
    do {
      page = arrivals.timed(period, board, frozen.fromTop(period, board, from, PAGE));
      page.forEach(line);
      progress.run();
      from += PAGE;
    } while (page.size() == PAGE);
  }

  private Totals adopted(
      Period period,
      int revision,
      int outcome,
      Board board,
      InForce excluded,
      Runnable progress) {
    jdbc.sql(
            """
            create temporary table adopted_line (like line including constraints) on commit drop
            """)
        .update();
    var blocks = new ArrayList<byte[]>();
    var rows = new LineRows(outcome, blocks::add);
    pages(period, board, progress, line -> rows.add(null, null, line));
    Totals totals = rows.finish();
    bulk.blocks("adopted_line " + LineRows.COLUMNS, blocks);
    exclusions.freeze(
        period,
        revision,
        excluded,
        jdbc.sql("select member from adopted_line where member = any(:members::text[])")
            .param("members", excluded.levels().keySet().toArray(String[]::new))
            .query(String.class)
            .list());
    ranking.rank(
        period, revision, outcome, board, new Ranking.Source("adopted_line", java.util.Map.of()));
    return totals;
  }
}

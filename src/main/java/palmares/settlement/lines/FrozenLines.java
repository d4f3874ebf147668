package palmares.settlement.lines;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.live.board.FrozenBoard;
import palmares.period.Period;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.Exclusions.InForce;
import palmares.platform.bulk.BulkLoad;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.settlement.lines.LineRows.Totals;
import palmares.settlement.outcome.OutcomeTables;

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
  private final ArrivalTimes arrivals;
  private final Exclusions exclusions;
  private final Ranking ranking;
  private final BulkLoad bulk;
  private final JdbcClient jdbc;

  FrozenLines(
      FrozenBoard frozen,
      ArrivalTimes arrivals,
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
   * @throws Mismatch if the board is not in its order
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Totals write(Period period, int revision, int outcome, Board board) {
    InForce excluded = exclusions.inForce(period);
    if (board.adoption() != null) {
      return adopted(period, revision, outcome, board, excluded);
    }
    var blocks = new ArrayList<byte[]>();
    var rows = new LineRows(outcome, blocks::add);
    Set<String> present = number(period, board, excluded, rows, RankedLines.NOBODY);
    Totals totals = rows.finish();
    bulk.blocks(OutcomeTables.lines(outcome) + " " + LineRows.COLUMNS, blocks);
    exclusions.freeze(period, revision, excluded, present);
    return totals;
  }

  /**
   * Encodes the lines.
   *
   * @param ranked takes each line that has a rank
   * @return the members on the board who are excluded
   * @throws Mismatch if the board is not in its order
   */
  Set<String> number(
      Period period, Board board, InForce excluded, LineRows rows, RankedLines ranked) {
    var present = new HashSet<String>();
    var unranked = new ArrayList<MemberScore>();
    var places = new PlaceNumbering(board);
    try {
      pages(
          period,
          board,
          line -> {
            ExclusionLevel level = excluded.levels().get(line.member());
            if (level != null) {
              present.add(line.member());
            }
            if (level != null && !level.isShown()) {
              rows.add(null, null, line);
            } else if (level != null && !level.isRanked()) {
              unranked.add(line);
            } else {
              places.ranked(line);
              rows.add(places.place(), places.rank(), line);
              ranked.next(line, places.rank(), level != null);
            }
          });
    } catch (PlaceNumbering.OutOfOrder e) {
      throw new Mismatch(period, List.of(String.valueOf(e.getMessage())));
    }
    for (MemberScore line : unranked) {
      places.unranked();
      rows.add(places.place(), null, line);
    }
    return present;
  }

  /** A page is read while the one before it is encoded. */
  private void pages(Period period, Board board, Consumer<MemberScore> line) {
    long members = Objects.requireNonNull(period.population(), "sealed").members();
    if (members <= PAGE) {
      page(period, board, 0).forEach(line);
      return;
    }
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      Future<List<MemberScore>> next = reader.submit(() -> page(period, board, 0));
      // One page more than was sealed: what is there too much is found.
      for (long from = PAGE; from <= members + PAGE; from += PAGE) {
        List<MemberScore> page = next.get();
        long start = from;
        next = reader.submit(() -> page(period, board, start));
        page.forEach(line);
      }
      next.get().forEach(line);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a board was read", e);
    } finally {
      reader.shutdownNow();
    }
  }

  private List<MemberScore> page(Period period, Board board, long from) {
    return arrivals.timed(period, board, frozen.fromTop(period, board, from, PAGE));
  }

  private Totals adopted(Period period, int revision, int outcome, Board board, InForce excluded) {
    jdbc.sql(
            """
            create temporary table adopted_line (like line including constraints) on commit drop
            """)
        .update();
    var blocks = new ArrayList<byte[]>();
    var rows = new LineRows(outcome, blocks::add);
    pages(period, board, line -> rows.add(null, null, line));
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
    ranking.rank(period, revision, outcome, board, new Ranking.Source("adopted_line", Map.of()));
    return totals;
  }
}

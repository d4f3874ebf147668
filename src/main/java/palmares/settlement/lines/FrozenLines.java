package palmares.settlement.lines;

import java.time.Instant;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.live.board.FrozenBoard;
import palmares.live.board.LiveBoardGone;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.FrozenExclusions;
import palmares.period.exclusion.FrozenExclusions.InForce;
import palmares.platform.bulk.BulkLoad;
import palmares.platform.bulk.ParallelRunner;
import palmares.platform.sql.RecordMapper;
import palmares.platform.threads.LogContext;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.rules.board.TimeResolution;
import palmares.settlement.lines.ClosingLines.Numbered;
import palmares.settlement.lines.ClosingLines.RankedLines;
import palmares.settlement.lines.ClosingLines.Totals;

/**
 * Writes the lines of a closing from its frozen board.
 *
 * <p>Redis returns lines in their final order, so places and ranks are numbered while lines are
 * read. Hidden members get no place; unranked members get the last places. Scores of an adopted
 * board may be in another order, so {@link Ranking} ranks its lines.
 */
@Component
class FrozenLines {
  private final FrozenBoard frozen;
  private final FrozenExclusions exclusions;
  private final Ranking ranking;
  private final BulkLoad bulk;
  private final JdbcClient jdbc;

  FrozenLines(
      FrozenBoard frozen,
      FrozenExclusions exclusions,
      Ranking ranking,
      BulkLoad bulk,
      JdbcClient jdbc) {
    this.frozen = frozen;
    this.exclusions = exclusions;
    this.ranking = ranking;
    this.bulk = bulk;
    this.jdbc = jdbc;
  }

  /**
   * Writes the lines, and freezes the exclusions of the members on the board.
   *
   * @param revision the revision within the period
   * @param outcome the revision's number among all outcomes
   * @param ranked receives each line that has a rank; none of an adopted board
   * @throws Mismatch if the lines of the board are out of order
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Totals write(Period period, int revision, int outcome, Board board, RankedLines ranked) {
    InForce excluded = exclusions.inForce(period);
    return board
        .kind()
        .map(
            () -> writeCounted(period, revision, outcome, board, excluded, ranked),
            adoption -> writeAdopted(period, revision, outcome, board, excluded));
  }

  private Totals writeCounted(
      Period period, int revision, int outcome, Board board, InForce excluded, RankedLines ranked) {
    var blocks = new ArrayList<byte[]>();
    var rows = new LineRows(outcome, blocks::add);
    Numbered numbered = number(period, board, excluded, whole(period), rows, ranked);
    Totals totals = rows.finish();
    bulk.blocks(ClosingLines.target(outcome), blocks);
    exclusions.freeze(period, revision, excluded, numbered.excluded());
    return totals;
  }

  private static LineSlice whole(Period period) {
    return LineSlice.whole(Objects.requireNonNull(period.population(), "sealed").members());
  }

  /**
   * Numbers and encodes the lines of a slice.
   *
   * @param ranked receives each line that has a rank
   * @throws Mismatch if the lines of the board are out of order
   */
  Numbered number(
      Period period,
      Board board,
      InForce excluded,
      LineSlice slice,
      LineRows rows,
      RankedLines ranked) {
    var present = new HashSet<String>();
    var unranked = new ArrayList<MemberScore>();
    PlaceNumbering places = numbering(period, board, slice);
    int first = places.place();
    try {
      readPages(
          period,
          board,
          excluded,
          slice,
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
      throw new Mismatch(period, Repair.REPLACE, List.of(e.said()));
    }
    int place = slice.unranked() == null ? places.place() : slice.unranked();
    for (MemberScore line : unranked) {
      rows.add(++place, null, line);
    }
    return new Numbered(places.place() - first, unranked.size(), present);
  }

  private PlaceNumbering numbering(Period period, Board board, LineSlice slice) {
    var places = new PlaceNumbering(board);
    if (slice.before() >= 0) {
      places.beginAfter(
          lineAt(period, board, slice.before()), slice.place(), slice.rank(), slice.levels());
    }
    return places;
  }

  /** Returns the line at an index from the top. */
  MemberScore lineAt(Period period, Board board, long index) {
    List<MemberScore> found = page(period, board, Set.of(), index, 1);
    if (found.isEmpty()) {
      throw LiveBoardGone.counted(period);
    }
    return found.get(0);
  }

  /**
   * Reads each page while the one before it is encoded. The reader is no executor of Spring,
   * because none may read any more when this returns, however long Redis takes to answer. While
   * lines of an adopted board are copied to PostgreSQL, the connection can answer no query.
   */
  void readPages(
      Period period, Board board, InForce excluded, LineSlice slice, Consumer<MemberScore> line) {
    Set<String> unranked =
        excluded.levels().entrySet().stream()
            .filter(entry -> !entry.getValue().isRanked())
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
    long members = Objects.requireNonNull(period.population(), "sealed").members();
    if (!ClosingLines.areReadAhead(members)) {
      page(period, board, unranked, slice.from(), slice.pageAt(slice.from())).forEach(line);
      return;
    }
    ExecutorService reader =
        Executors.newSingleThreadExecutor(
            work -> new Thread(LogContext.wrap(work), "reader of " + period.label()));
    try {
      Future<List<MemberScore>> next =
          reader.submit(
              () -> page(period, board, unranked, slice.from(), slice.pageAt(slice.from())));
      for (long from = slice.from() + LineSlice.LINES_PER_PAGE;
          from < slice.to();
          from += LineSlice.LINES_PER_PAGE) {
        List<MemberScore> page = next.get();
        long start = from;
        next = reader.submit(() -> page(period, board, unranked, start, slice.pageAt(start)));
        page.forEach(line);
      }
      next.get().forEach(line);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading a board", e);
    } finally {
      reader.shutdownNow();
      ParallelRunner.awaitTermination(reader);
    }
  }

  private List<MemberScore> page(
      Period period, Board board, Set<String> unranked, long from, int count) {
    return withTimes(period, board, frozen.fromTop(period, board, from, count, unranked));
  }

  /**
   * Adds the times of events from the journal. Where arrivals break ties, a line of the board holds
   * only the number of its event.
   *
   * @throws Mismatch if an event is missing in the journal
   */
  private List<MemberScore> withTimes(Period period, Board board, List<MemberScore> lines) {
    return switch (board.scale().tiebreak()) {
      case TIME -> lines;
      case ARRIVAL -> byArrival(period, board, lines);
    };
  }

  private List<MemberScore> byArrival(Period period, Board board, List<MemberScore> lines) {
    Map<Long, Instant> times = times(period, lines);
    TimeResolution resolution = board.scale().resolution();
    return lines.stream().map(line -> withTime(period, line, times, resolution)).toList();
  }

  private static MemberScore withTime(
      Period period, MemberScore line, Map<Long, Instant> times, TimeResolution resolution) {
    Instant occurredAt = times.get(line.arrival());
    if (occurredAt == null) {
      throw new Mismatch(
          period,
          Repair.REPLACE,
          List.of(new ReconciliationSentences.EventMissing(line.member(), line.arrival())));
    }
    return new MemberScore(
        line.member(),
        line.points(),
        line.thenBy(),
        line.arrival(),
        resolution.instant(resolution.tick(occurredAt)));
  }

  private Map<Long, Instant> times(Period period, List<MemberScore> lines) {
    return jdbc.sql(
            "select seq, occurred_at from event where period_id = :period and seq = any(:seqs)")
        .param("period", period.id())
        .param("seqs", lines.stream().map(MemberScore::arrival).toList())
        .query(RecordMapper.map(Long.class, Instant.class));
  }

  private Totals writeAdopted(
      Period period, int revision, int outcome, Board board, InForce excluded) {
    jdbc.sql(
            """
            create temporary table adopted_line (like line including constraints) on commit drop
            """)
        .update();
    var totals = new AtomicReference<Totals>();
    bulk.stream(
        "adopted_line " + LineRows.COLUMNS,
        sink -> {
          var rows = new LineRows(outcome, sink);
          readPages(period, board, excluded, whole(period), line -> rows.add(null, null, line));
          totals.set(rows.finish());
        });
    exclusions.freeze(
        period,
        revision,
        excluded,
        jdbc.sql("select member from adopted_line where member = any(:members::text[])")
            .param("members", excluded.levels().keySet())
            .query(String.class)
            .list());
    ranking.rank(period, revision, outcome, board, new Ranking.Source("adopted_line", Map.of()));
    return Objects.requireNonNull(totals.get());
  }
}

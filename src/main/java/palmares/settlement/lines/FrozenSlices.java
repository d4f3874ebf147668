package palmares.settlement.lines;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.FrozenExclusions.InForce;
import palmares.platform.bulk.ParallelRunner;
import palmares.platform.text.Sentence;
import palmares.platform.time.SqlTime;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.rules.board.RankMethod;
import palmares.settlement.lines.ClosingLines.Numbered;
import palmares.settlement.outcome.OutcomeTables;

/** Cuts a frozen board into slices whose lines are numbered in parallel, and joins them again. */
@Component
public class FrozenSlices {
  private final FrozenLines frozen;
  private final JdbcClient jdbc;

  FrozenSlices(FrozenLines frozen, JdbcClient jdbc) {
    this.frozen = frozen;
    this.jdbc = jdbc;
  }

  /**
   * Cuts a board that events count on. If exclusions leave lines without a rank, or ranks have no
   * gaps, this reads the whole board once.
   *
   * @param count the number of slices
   */
  public List<LineSlice> plan(Period period, Board board, InForce excluded, int count) {
    long members = Objects.requireNonNull(period.population(), "sealed").members();
    LineSlice whole = LineSlice.whole(members);
    if (count < 2) {
      return List.of(whole);
    }
    var parts = new ArrayList<LineSlice>();
    for (int i = 0; i < count; i++) {
      long to = i == count - 1 ? whole.to() : members * (i + 1) / count;
      parts.add(new LineSlice(members * i / count, to, -1, 0, 0, 0, null));
    }
    boolean isRead =
        board.ranks() == RankMethod.DENSE
            || excluded.levels().values().stream().anyMatch(level -> !level.isRanked());
    List<Part> read =
        isRead
            ? read(period, board, excluded, parts)
            : parts.stream().map(part -> new Part(board)).toList();
    return new Planning(period, board, members, parts, read).slices();
  }

  private List<Part> read(Period period, Board board, InForce excluded, List<LineSlice> parts) {
    List<Part> read = parts.stream().map(part -> new Part(board)).toList();
    ParallelRunner.run(
        IntStream.range(0, parts.size())
            .<Runnable>mapToObj(
                i ->
                    () -> {
                      LineSlice part = parts.get(i);
                      long[] index = {part.from()};
                      frozen.readPages(
                          period,
                          board,
                          excluded,
                          part,
                          line ->
                              read.get(i)
                                  .add(index[0]++, line, excluded.levels().get(line.member())));
                    })
            .toList());
    return read;
  }

  /** What a part of the board holds. One thread adds its lines. */
  private static final class Part {
    private final Comparator<MemberScore> byLevel;

    /** The lines without a rank by their index, and whether they have a place. */
    private final Map<Long, Boolean> leftOut = new TreeMap<>();

    private @Nullable MemberScore first;
    private @Nullable MemberScore last;
    private int levels;

    Part(Board board) {
      byLevel = board.scale().byLevel();
    }

    void add(long index, MemberScore line, @Nullable ExclusionLevel level) {
      if (level != null && !level.isRanked()) {
        leftOut.put(index, level.isShown());
        return;
      }
      if (first == null) {
        first = line;
      }
      if (last == null || byLevel.compare(last, line) != 0) {
        levels++;
      }
      last = line;
    }

    /** How many of its levels an earlier part does not end with. */
    int levelsAfter(@Nullable MemberScore before) {
      boolean goesOn = before != null && first != null && byLevel.compare(before, first) == 0;
      return goesOn ? levels - 1 : levels;
    }
  }

  /** Finds how the numbering of each slice begins. */
  private final class Planning {
    private final Period period;
    private final Board board;
    private final long members;
    private final List<LineSlice> parts;
    private final List<Part> read;
    private final TreeMap<Long, Boolean> leftOut = new TreeMap<>();

    Planning(Period period, Board board, long members, List<LineSlice> parts, List<Part> read) {
      this.period = period;
      this.board = board;
      this.members = members;
      this.parts = parts;
      this.read = read;
      read.forEach(part -> leftOut.putAll(part.leftOut));
    }

    List<LineSlice> slices() {
      var slices = new ArrayList<LineSlice>();
      int ranked = ranked(members);
      int levels = 0;
      MemberScore last = null;
      for (int i = 0; i < parts.size(); i++) {
        LineSlice part = parts.get(i);
        long before = before(part.from());
        slices.add(
            new LineSlice(
                part.from(),
                part.to(),
                before,
                ranked(part.from()),
                before < 0 ? 0 : rank(before),
                levels,
                ranked + shown(part.from())));
        levels += read.get(i).levelsAfter(last);
        last = read.get(i).last == null ? last : read.get(i).last;
      }
      return slices;
    }

    /** The number of lines with a rank above an index. */
    private int ranked(long index) {
      return Math.toIntExact(index - leftOut.headMap(index).size());
    }

    /** The number of lines above an index that have a place, but no rank. */
    private int shown(long index) {
      return (int) leftOut.headMap(index).values().stream().filter(isShown -> isShown).count();
    }

    private long before(long from) {
      long before = from - 1;
      while (before >= 0 && leftOut.containsKey(before)) {
        before--;
      }
      return before;
    }

    /** Finds by bisection where the level of a line begins. */
    private int rank(long index) {
      if (board.ranks() == RankMethod.UNIQUE) {
        return ranked(index) + 1;
      }
      Comparator<MemberScore> byLevel = board.scale().byLevel();
      MemberScore line = frozen.lineAt(period, board, index);
      long first = 0;
      long holds = index;
      while (first < holds) {
        long middle = (first + holds) / 2;
        if (byLevel.compare(frozen.lineAt(period, board, middle), line) == 0) {
          holds = middle;
        } else {
          first = middle + 1;
        }
      }
      return ranked(first) + 1;
    }
  }

  /**
   * Checks that the lines of all slices are numbered as if they were numbered one after the other.
   * The lines at their borders are read from the table of the outcome, which has its indexes.
   *
   * @param filled what each slice holds
   * @throws Mismatch if a slice does not continue the one before it
   */
  public void requireJoined(
      Period period, int outcome, Board board, List<LineSlice> slices, List<Numbered> filled) {
    if (slices.size() < 2) {
      return;
    }
    int place = 0;
    int unranked = filled.stream().mapToInt(Numbered::ranked).sum();
    for (int i = 0; i < slices.size(); i++) {
      LineSlice slice = slices.get(i);
      if (slice.place() != place || !Objects.equals(slice.unranked(), unranked)) {
        throw wrong(period, i);
      }
      place += filled.get(i).ranked();
      unranked += filled.get(i).unranked();
    }
    Map<Integer, Stored> borders = borders(outcome, slices);
    for (int i = 1; i < slices.size(); i++) {
      Stored last = borders.get(slices.get(i).place());
      Stored next = borders.get(slices.get(i).place() + 1);
      if (last != null && next != null && !continues(board, last, next)) {
        throw wrong(period, i);
      }
    }
  }

  private static Mismatch wrong(Period period, int slice) {
    Sentence said = new ReconciliationSentences.SliceDoesNotContinue(slice + 1);
    return new Mismatch(period, Repair.REPLACE, List.of(said));
  }

  /** A line at a border. */
  private record Stored(int place, @Nullable Integer rank, MemberScore line) {}

  private Map<Integer, Stored> borders(int outcome, List<LineSlice> slices) {
    return jdbc
        .sql(
            OutcomeTables.of(outcome)
                .in(
                    """
                    select place, rank, member, points, coalesce(then_by, 0) as then_by,
                      coalesce(arrival, 0) as arrival, reached_at
                    from {lines}
                    where outcome = :outcome and place = any(:places)
                    """))
        .param("outcome", outcome)
        .param(
            "places",
            slices.stream()
                .flatMap(slice -> List.of(slice.place(), slice.place() + 1).stream())
                .toList())
        .query(
            (row, n) ->
                new Stored(
                    row.getInt("place"),
                    row.getObject("rank", Integer.class),
                    new MemberScore(
                        row.getString("member"),
                        row.getLong("points"),
                        row.getLong("then_by"),
                        row.getLong("arrival"),
                        SqlTime.nullableInstant(row, "reached_at"))))
        .list()
        .stream()
        .collect(Collectors.toMap(Stored::place, stored -> stored));
  }

  private static boolean continues(Board board, Stored last, Stored next) {
    Integer rank = next.rank();
    if (rank == null) {
      return true; // All lines with a rank are before.
    }
    boolean isTie = board.scale().byLevel().compare(last.line(), next.line()) == 0;
    int before = Objects.requireNonNull(last.rank(), "the last line before a slice has a rank");
    int expected =
        switch (board.ranks()) {
          case UNIQUE -> next.place();
          case COMPETITION -> isTie ? before : next.place();
          case DENSE -> isTie ? before : before + 1;
        };
    return board.scale().byPlace().compare(last.line(), next.line()) < 0 && rank == expected;
  }
}

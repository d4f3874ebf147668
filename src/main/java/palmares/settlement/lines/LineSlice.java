package palmares.settlement.lines;

import org.jspecify.annotations.Nullable;

/**
 * Says which lines of a frozen board belong together, and how their numbering begins. Indexes count
 * all lines of the board from the top, from 0.
 *
 * @param from the index of its first line
 * @param to the index after its last line; of the last slice a page more, to find lines in excess
 * @param before the index of the last line before it that has a rank; -1 if there is none
 * @param place the place of that line
 * @param rank the competition rank of that line
 * @param levels the number of levels up to its own, of lines that have a rank; 0 unless ranks have
 *     no gaps
 * @param unranked the place before its first line of an unranked member; null if these lines follow
 *     the ranked ones of the slice
 */
public record LineSlice(
    long from, long to, long before, int place, int rank, int levels, @Nullable Integer unranked) {
  static final int LINES_PER_PAGE = 10_000;

  /** The slice of all lines. */
  static LineSlice whole(long members) {
    return new LineSlice(0, members + LINES_PER_PAGE, -1, 0, 0, 0, null);
  }

  /** The number of lines that a page from this index on has. */
  int pageAt(long index) {
    return (int) Math.min(LINES_PER_PAGE, to - index);
  }
}

package palmares.testing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.live.board.LiveLine;
import palmares.operations.report.FinalLine;

/**
 * A line of a board, wherever it is: live, published, or in a model.
 *
 * @param rank 0 if the member is excluded from the ranks
 */
public record Line(
    long place, long rank, String member, long points, long thenBy, @Nullable Instant reachedAt) {
  /** On a board without a second key. */
  public Line(long place, long rank, String member, long points, @Nullable Instant reachedAt) {
    this(place, rank, member, points, 0, reachedAt);
  }

  public static Line of(LiveLine line) {
    return new Line(
        line.place(),
        line.rank(),
        line.member(),
        line.points(),
        line.memberScore().thenBy(),
        line.reachedAt());
  }

  public static Line of(FinalLine line) {
    return new Line(
        line.place(),
        line.rank() == null ? 0 : line.rank(),
        line.member(),
        line.points(),
        line.thenBy(),
        line.reachedAt());
  }

  /** As a live board says it where arrivals break ties. */
  public Line untimed() {
    return new Line(place, rank, member, points, thenBy, null);
  }
}

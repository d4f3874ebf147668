package palmares.testing;

import java.time.Instant;
import palmares.live.LiveLine;
import palmares.report.FinalLine;

/** A line of a board, wherever it stands: live, published, or in a model. */
public record Line(long place, long rank, String member, long points, Instant reachedAt) {
  public static Line of(LiveLine line) {
    return new Line(line.place(), line.rank(), line.member(), line.points(), line.reachedAt());
  }

  public static Line of(FinalLine line) {
    return new Line(line.place(), line.rank(), line.member(), line.points(), line.reachedAt());
  }
}

package palmares.reader;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.live.LiveLine;
import palmares.report.FinalLine;

/**
 * A line of a board as answers spell it.
 *
 * @param credits what was paid for it; null while the period is not settled
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LineView(
    long place, long rank, String member, long points, Instant reachedAt, @Nullable Long credits) {

  static LineView of(LiveLine line) {
    return new LineView(
        line.place(), line.rank(), line.member(), line.points(), line.reachedAt(), null);
  }

  static LineView of(FinalLine line) {
    return new LineView(
        line.place(), line.rank(), line.member(), line.points(), line.reachedAt(), line.credits());
  }
}

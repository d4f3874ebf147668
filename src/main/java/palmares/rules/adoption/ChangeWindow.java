package palmares.rules.adoption;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import palmares.rules.adoption.Encoding.UndecodableScore;

/**
 * The times at which changes of a period can have happened.
 *
 * @param from the period's start
 * @param to the end of its grace
 * @param deadline of the countdown in the scores
 */
public record ChangeWindow(Instant from, Instant to, Instant deadline) {
  /**
   * Moves a decoded time into the window, by its uncertainty at most. Returns null if the
   * uncertainty is as long as the window.
   *
   * @throws UndecodableScore if the time is outside the window by more than its uncertainty
   */
  @Nullable Instant clamp(Instant time, Duration uncertainty) {
    if (uncertainty.compareTo(Duration.between(from, to)) >= 0) {
      return null;
    }
    if (time.isBefore(from.minus(uncertainty)) || time.isAfter(to.plus(uncertainty))) {
      throw new UndecodableScore(
          new ScoreSentences.OutsidePeriod(
              time.atZone(ZoneOffset.UTC), from.atZone(ZoneOffset.UTC), to.atZone(ZoneOffset.UTC)));
    }
    return time.isBefore(from) ? from : time.isAfter(to) ? to : time;
  }
}

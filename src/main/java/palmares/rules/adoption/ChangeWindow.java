package palmares.rules.adoption;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the changes of a period can have happened.
 *
 * @param from the period's first instant
 * @param to its end and grace
 * @param deadline what a time that is left counts down to
 */
public record ChangeWindow(Instant from, Instant to, Instant deadline) {

  /**
   * The time that a score means, known to so much on either side; null if that is so much that it
   * could be any time of the period.
   *
   * @throws UndecodableScore if it lies outside of the period by more than that
   */
  @Nullable Instant place(Instant time, Duration blur) {
    if (blur.compareTo(Duration.between(from, to)) >= 0) {
      return null;
    }
    if (time.isBefore(from.minus(blur)) || time.isAfter(to.plus(blur))) {
      throw new UndecodableScore(
          "means the time %s, outside of the period (%s to %s)".formatted(time, from, to));
    }
    return time.isBefore(from) ? from : time.isAfter(to) ? to : time;
  }
}

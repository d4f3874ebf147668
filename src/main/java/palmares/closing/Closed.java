package palmares.closing;

import org.jspecify.annotations.Nullable;
import palmares.period.Period;

/**
 * How an attempt to close a period ended.
 *
 * @param period as its row stands now
 * @param detail for a failure what went wrong, for a held period by whom
 */
public record Closed(Period period, Outcome outcome, @Nullable String detail) {

  /** The ways in which it can end. */
  public enum Outcome {
    /** Settled by this attempt. */
    SETTLED,
    /** Settled before: nothing changed. */
    ALREADY_SETTLED,
    /** Not settled; the sweep tries again later. */
    FAILED,
    /** Another process is closing it. */
    HELD,
    /** Another process took it over meanwhile. */
    LOST
  }
}

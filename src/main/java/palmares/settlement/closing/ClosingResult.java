package palmares.settlement.closing;

import org.jspecify.annotations.Nullable;
import palmares.period.Period;

/**
 * How an attempt to close a period ended.
 *
 * @param period as its row stands now
 * @param detail for a failure what went wrong, for a period that waits why
 */
public record ClosingResult(Period period, Outcome outcome, @Nullable String detail) {

  /** The ways in which it can end. */
  public enum Outcome {
    /** Settled by this attempt. */
    SETTLED,
    /** Settled before: nothing changed. */
    ALREADY_SETTLED,
    /** Not settled; the sweep tries again later. */
    FAILED,
    /** A person must look at it first: nothing is paid yet. */
    WAITS,
    /** Another process is closing it. */
    BUSY,
    /** Another process took it over meanwhile. */
    LOST
  }
}

package palmares.settlement.closing;

import org.jspecify.annotations.Nullable;

/**
 * What started a closing, for the record of runs.
 *
 * @param what the schedule, or a command
 * @param by the person who gave the command; the schedule's name if nobody did
 * @param person the person who closes this one period by hand; null if nobody does
 */
public record ClosingCause(String what, String by, @Nullable String person) {
  /** A person closes one period by hand. */
  public ClosingCause(String what, String by) {
    this(what, by, by);
  }

  /** The schedule closes all that is due. */
  public static ClosingCause of(String what) {
    return unattended(what, what);
  }

  /**
   * A command closes all that is due. Nobody has checked a period: a cron job may have given it.
   */
  public static ClosingCause unattended(String what, String by) {
    return new ClosingCause(what, by, null);
  }
}

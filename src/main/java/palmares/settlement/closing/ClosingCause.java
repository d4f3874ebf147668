package palmares.settlement.closing;

import org.jspecify.annotations.Nullable;

/**
 * What brings a closing about, for the record.
 *
 * @param what the schedule, or a command
 * @param by the person who gave the command; the schedule itself where there is none
 * @param person who closes this one period by hand; null if nobody does
 */
public record ClosingCause(String what, String by, @Nullable String person) {
  /** A person closes one period. */
  public ClosingCause(String what, String by) {
    this(what, by, by);
  }

  /** Whatever is due is closed, by no person. */
  public static ClosingCause of(String what) {
    return unattended(what, what);
  }

  /** Whatever is due is closed by a command: who gave it, a cron table perhaps, looked at none. */
  public static ClosingCause unattended(String what, String by) {
    return new ClosingCause(what, by, null);
  }
}

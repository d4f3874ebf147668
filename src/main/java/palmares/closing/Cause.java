package palmares.closing;

/**
 * What brings a closing about, for the record.
 *
 * @param what the schedule, or a command
 * @param by the person who gave the command; the schedule itself where there is none
 */
public record Cause(String what, String by) {
  /** Whoever it is that asks, it is no person. */
  public static Cause of(String what) {
    return new Cause(what, what);
  }
}

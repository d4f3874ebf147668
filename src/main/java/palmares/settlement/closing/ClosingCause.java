package palmares.settlement.closing;

/**
 * Says what started a closing, for the record of runs.
 *
 * @param what the schedule, an operation, or a batch
 * @param by the person who called the operation, and so shaped the outcome; the schedule's name if
 *     nobody did
 */
public record ClosingCause(String what, String by) {
  /** The schedule closes all that is due. */
  public static ClosingCause of(String what) {
    return new ClosingCause(what, what);
  }
}

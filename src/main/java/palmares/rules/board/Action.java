package palmares.rules.board;

import palmares.platform.text.Choice;

/**
 * An action that a board counts.
 *
 * @param name in events; 1 to 40 lower-case letters, digits and hyphens
 * @param points for each; at least 1, or 0 on boards whose events carry values
 * @param undo whether it can be undone while its period is open
 * @param maxQuantity the largest quantity of one event; at least 1
 * @param oncePer how often it counts
 * @param maxPerDay how many count per member and day of the board's zone; 0 for no limit
 * @param maxPerPeriod how many count per member and period; 0 for no limit
 */
public record Action(
    String name,
    long points,
    boolean undo,
    long maxQuantity,
    OncePer oncePer,
    long maxPerDay,
    long maxPerPeriod) {
  /** Whether its limits depend on the day. */
  public boolean dependsOnDay() {
    return oncePer.isOfDay() || maxPerDay > 0;
  }

  /** Whether some of it may not count. */
  public boolean isLimited() {
    return oncePer != OncePer.EVENT || maxPerDay > 0 || maxPerPeriod > 0;
  }

  /** Says how often a member's action counts on a board in a period. */
  public enum OncePer implements Choice {
    /** Each time. */
    EVENT,
    /** Once for each subject; each time if the event names none. */
    SUBJECT,
    /** Once for each subject on each day of the board's zone; each time if the event names none. */
    SUBJECT_A_DAY,
    /** Once on each day of the board's zone. */
    DAY,
    /** Once. */
    PERIOD;

    /** Whether an action on another subject counts, and one without a subject each time. */
    public boolean isOfSubject() {
      return this == SUBJECT || this == SUBJECT_A_DAY;
    }

    /** Whether an action on another day counts. */
    public boolean isOfDay() {
      return this == DAY || this == SUBJECT_A_DAY;
    }

    /** As it reads after "counts once per". */
    public String unit() {
      return word().replace('-', ' ');
    }
  }
}

package palmares.rules.board;

/**
 * One kind of event that a board counts.
 *
 * @param name as events spell it; 1 to 40 lower-case letters, digits and hyphens
 * @param points what one gives; at least 1, and 0 on boards whose events state their value
 * @param undo whether it can be taken back while its period is open
 * @param maxQuantity how many of it one event may bring; at least 1, and 1 for actions that are not
 *     counted in quantities
 * @param oncePer how often it counts
 * @param maxPerDay how many of it count for a member on a day of the board's zone; 0 for any number
 * @param maxPerPeriod how many of it count for a member in a period; 0 for any number
 */
public record Action(
    String name,
    long points,
    boolean undo,
    long maxQuantity,
    OncePer oncePer,
    long maxPerDay,
    long maxPerPeriod) {

  /** Whether it matters on which day it happens. */
  public boolean goesByDay() {
    return oncePer == OncePer.DAY || maxPerDay > 0;
  }

  /** Whether not every one of it counts. */
  public boolean isLimited() {
    return oncePer != OncePer.EVENT || maxPerDay > 0 || maxPerPeriod > 0;
  }
}

package palmares.rules.board;

import palmares.platform.form.Choice;

/** Says how often a member's action counts on a board in a period. */
public enum OncePer implements Choice {
  /** Each time. */
  EVENT,
  /** Once for each subject; each time if the event names none. */
  SUBJECT,
  /** Once on each day of the board's zone. */
  DAY,
  /** Once. */
  PERIOD;
}

package palmares.rules.board;

import java.util.Locale;

/** How often one member's action counts on a board in a period. */
public enum OncePer {
  /** Each time. */
  EVENT,
  /** Once for each subject; each time where an event names none. */
  SUBJECT,
  /** Once on each day of the board's zone. */
  DAY,
  /** Once. */
  PERIOD;

  /** The name as board files spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package palmares.rules.board;

import palmares.platform.form.Choice;

/** Says what orders members with equal points. */
public enum Tiebreak implements Choice {
  /** When they reached the points, at the board's resolution; then the member's id. */
  TIME,
  /** The order in which their latest changes arrived, also within one tick. */
  ARRIVAL;

  /** Whether it is a number that events get as they arrive, rather than their time. */
  public boolean byArrival() {
    return switch (this) {
      case TIME -> false;
      case ARRIVAL -> true;
    };
  }
}

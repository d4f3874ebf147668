package palmares.rules.board;

import java.util.Locale;

/** What puts members with equal points in order. */
public enum Tiebreak {
  /** When they came to hold them, at the board's resolution; then the member's id. */
  TIME,
  /** The order in which their latest changes arrived, even within one tick. */
  ARRIVAL;

  /** The name as board files spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

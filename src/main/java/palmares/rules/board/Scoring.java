package palmares.rules.board;

import java.util.Locale;

/** How an event changes a member's points. */
public enum Scoring {
  /** It adds what its action is worth. */
  ADD,
  /** Its value is the member's points if it betters them: the most wins. */
  BEST,
  /** Its value is the member's points, whatever they were: the most wins. */
  LATEST,
  /** Its value is the member's points if it betters them: the fewest win, as times in a race. */
  LOWEST_BEST;

  /** Whether events state their value themselves, and actions are worth nothing. */
  public boolean takesValues() {
    return switch (this) {
      case ADD -> false;
      case BEST, LATEST, LOWEST_BEST -> true;
    };
  }

  /** Whether fewer points stand before more. */
  public boolean fewestWin() {
    return switch (this) {
      case ADD, BEST, LATEST -> false;
      case LOWEST_BEST -> true;
    };
  }

  /** The name as board files spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

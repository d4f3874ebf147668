package palmares.rules.board;

import palmares.platform.form.Choice;

/** Says how an event changes a member's points. */
public enum Scoring implements Choice {
  /** It adds its action's points. */
  ADD,
  /** Its value becomes the member's points if it is greater: the most win. */
  BEST,
  /** Its value becomes the member's points: the most win. */
  LATEST,
  /** Its value becomes the member's points if it is less: the fewest win, as times in a race. */
  LOWEST_BEST;

  /** Whether events carry values, and actions have no points. */
  public boolean takesValues() {
    return switch (this) {
      case ADD -> false;
      case BEST, LATEST, LOWEST_BEST -> true;
    };
  }

  /** Whether fewer points are better. */
  public boolean fewestWin() {
    return switch (this) {
      case ADD, BEST, LATEST -> false;
      case LOWEST_BEST -> true;
    };
  }
}

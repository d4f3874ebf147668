package palmares.rules.board;

import java.util.Locale;

/**
 * What a board makes of registrations.
 *
 * @param action what the inviter of a new member is credited with; one of the board's actions
 * @param self what becomes of a registration by which somebody would invite themselves
 * @param unknownCode what becomes of one with a code that nobody has
 */
public record Invites(String action, Policy self, Policy unknownCode) {

  /** What becomes of a registration whose invite cannot count. */
  public enum Policy {
    /** It is refused whole. */
    REFUSE,
    /** It goes on as if it had no code. */
    IGNORE;

    /** The name as board files spell it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}

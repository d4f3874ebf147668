package palmares.rules.board;

import palmares.platform.form.Choice;

/**
 * Says how a board counts registrations.
 *
 * @param action of the board, with which the inviter of a new member is credited
 * @param self how a registration with the member's own code is handled
 * @param unknownCode how a registration with an unknown code is handled
 */
public record Invites(String action, Policy self, Policy unknownCode) {

  /** Says how a registration is handled whose invite cannot count. */
  public enum Policy implements Choice {
    /** The registration is refused. */
    REFUSE,
    /** The registration is accepted without the invite. */
    IGNORE;
  }
}

package palmares.api.roles;

import java.util.function.Predicate;
import palmares.rules.board.BoardId;

/**
 * What of a registered person a caller sees. Who may read a board sees the nicknames on its lines;
 * this is about profiles, which belong to no board.
 */
public enum PersonalData {
  /** The id, as on every board, and when it registered. */
  ID,
  /** Also the nickname, and how many members it has invited. */
  NICKNAME,
  /** Also the invite code, the masked external id, and who invited the person. */
  ALL;

  /**
   * Decides by roles and boards. A key that is limited to boards sees no more than on these.
   *
   * @param showsNicknames whether the lines of a board have nicknames
   */
  public static PersonalData visibleTo(Caller caller, Predicate<BoardId> showsNicknames) {
    if (!caller.boards().isEmpty()) {
      return caller.boards().stream().anyMatch(showsNicknames) ? NICKNAME : ID;
    }
    return caller.has(Role.VIEWER) ? ALL : NICKNAME;
  }
}

package palmares.settlement.lines;

import palmares.rules.board.MemberScore;

/** Takes the ranked lines of a closing in the order of their places. */
public interface RankedLines {
  /** Takes nothing. */
  RankedLines NOBODY = (line, rank, excluded) -> {};

  /**
   * Takes the next line.
   *
   * @param excluded whether the member is excluded from prizes
   */
  void next(MemberScore line, int rank, boolean excluded);
}

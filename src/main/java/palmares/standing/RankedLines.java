package palmares.standing;

import palmares.board.Holding;

/** Takes the ranked lines of a closing in the order of their places. */
public interface RankedLines {
  /** Takes nothing. */
  RankedLines NOBODY = (line, rank, excluded) -> {};

  /**
   * Takes the next line.
   *
   * @param excluded whether the member is excluded from prizes
   */
  void next(Holding line, int rank, boolean excluded);
}

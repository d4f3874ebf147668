package palmares.period;

import palmares.rules.board.BoardId;

/** The rules that a period was opened or amended under are not there, or are none any more. */
public final class UnreadableDefinition extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableDefinition(BoardId board, String hash, Throwable cause) {
    super(
        "the definition %s of the board %s is not there, or cannot be read: %s"
            .formatted(hash, board, cause.getMessage()),
        cause);
  }
}

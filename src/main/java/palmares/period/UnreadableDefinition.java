package palmares.period;

import palmares.rules.board.BoardId;

/** Reports that stored rules are missing or cannot be parsed. */
public final class UnreadableDefinition extends RuntimeException {
  UnreadableDefinition(BoardId board, String hash, Throwable cause) {
    super(
        "definition %s of board %s is missing or cannot be read: %s"
            .formatted(hash, board, cause.getMessage()),
        cause);
  }
}

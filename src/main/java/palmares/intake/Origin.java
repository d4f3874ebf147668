package palmares.intake;

import java.util.Set;
import palmares.board.BoardId;
import palmares.period.ImportRun;

/** Where events come from, and what they may do therefore. */
public sealed interface Origin {

  /** Whether events from here may change the board. */
  boolean mayWrite(BoardId board);

  /**
   * Somebody with an API key, now.
   *
   * @param boards the boards that the key may write; empty for all of them
   */
  record Api(Set<BoardId> boards) implements Origin {
    public Api {
      boards = Set.copyOf(boards);
    }

    @Override
    public boolean mayWrite(BoardId board) {
      return boards.isEmpty() || boards.contains(board);
    }
  }

  /** Ourselves, now, for somebody who has registered: committed, whatever the board says. */
  record Ours() implements Origin {
    @Override
    public boolean mayWrite(BoardId board) {
      return true;
    }
  }

  /** A history of any age: opens past periods, and counts by the events' own times. */
  record History(ImportRun run) implements Origin {
    @Override
    public boolean mayWrite(BoardId board) {
      return true;
    }
  }
}

package palmares.live.intake;

import java.util.Set;
import palmares.period.ImportRuns.ImportRun;
import palmares.rules.board.BoardId;

/** Where events come from, and what they may do therefore. */
public sealed interface EventOrigin {

  /** Whether events from here may change the board. */
  boolean mayWrite(BoardId board);

  /**
   * Somebody with an API key, now.
   *
   * @param boards the boards that the key may write; empty for all of them
   */
  record Api(Set<BoardId> boards) implements EventOrigin {
    public Api {
      boards = Set.copyOf(boards);
    }

    @Override
    public boolean mayWrite(BoardId board) {
      return boards.isEmpty() || boards.contains(board);
    }
  }

  /** Ourselves, now, for somebody who has registered: committed, whatever the board says. */
  record Ours() implements EventOrigin {
    @Override
    public boolean mayWrite(BoardId board) {
      return true;
    }
  }

  /** A history of any age: opens past periods, and counts by the events' own times. */
  record History(ImportRun run) implements EventOrigin {
    @Override
    public boolean mayWrite(BoardId board) {
      return true;
    }
  }
}

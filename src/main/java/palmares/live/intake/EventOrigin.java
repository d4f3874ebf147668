package palmares.live.intake;

import java.util.Set;
import palmares.period.ImportRuns.ImportRun;
import palmares.rules.board.BoardId;

/** The source of events, which decides what they may do. */
public sealed interface EventOrigin {

  /** Whether events of this origin may change the board. */
  boolean mayWrite(BoardId board);

  /**
   * A caller with an API key. Events count now.
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

  /** Palmares, for a member who registers now. Events are committed, even those of fast boards. */
  record Registration() implements EventOrigin {
    @Override
    public boolean mayWrite(BoardId board) {
      return true;
    }
  }

  /** An import of a history. It opens past periods; events count by the time that they state. */
  record History(ImportRun run) implements EventOrigin {
    @Override
    public boolean mayWrite(BoardId board) {
      return true;
    }
  }
}

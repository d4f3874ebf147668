package palmares.bench.read;

import java.util.Arrays;
import java.util.List;
import palmares.bench.Resource;
import palmares.rules.board.BoardId;
import palmares.rules.board.RankMethod;
import palmares.rules.boardfiles.BoardFile;

/** The boards that are queried: one for each rank method. */
public final class ReadBoards {
  private ReadBoards() {}

  /** The board files. */
  public static List<BoardFile> files() {
    return Arrays.stream(RankMethod.values())
        .map(method -> Resource.board(id(method) + ".yml"))
        .toList();
  }

  public static BoardId id(RankMethod method) {
    return new BoardId("bench-read-" + method.word());
  }
}

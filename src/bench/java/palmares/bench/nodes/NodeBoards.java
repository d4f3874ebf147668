package palmares.bench.nodes;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import palmares.bench.Resource;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardFile;

/** The boards that {@code nodes} writes to and closes. */
public final class NodeBoards {
  /** As many as are named by number in one day. */
  static final int WRITTEN = 60;

  static final BoardId CLOSED = new BoardId("nodes-closed");
  static final BoardId WHOLE = new BoardId("nodes-whole");
  static final BoardId SLICED = new BoardId("nodes-sliced");

  private NodeBoards() {}

  /** The board files. */
  public static List<BoardFile> files() {
    String written = Resource.text("bench.yml");
    // Members share ranks across the borders of slices.
    String closed = Resource.text("bench-invites.yml").replace("unique", "competition");
    return Stream.concat(
            written().stream().map(id -> new BoardFile(id + ".yml", written)),
            Stream.of(CLOSED, WHOLE, SLICED).map(id -> new BoardFile(id + ".yml", closed)))
        .toList();
  }

  static List<BoardId> written() {
    return IntStream.range(0, WRITTEN).mapToObj(n -> new BoardId("b" + n)).toList();
  }
}

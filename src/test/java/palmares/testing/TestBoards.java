package palmares.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.test.util.ReflectionTestUtils;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardFile;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.Catalogue;

/**
 * Boards of tests, in place of those of {@code jobs/}. No id comes twice, so that nothing that a
 * process keeps in mind of one test's board meets another's.
 */
public final class TestBoards {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final Map<BoardId, Board> inForce;
  private final Map<BoardId, Board> shipped;

  /** The catalogue never changes while a process runs; here one process sees many. */
  @SuppressWarnings("unchecked")
  public TestBoards(Catalogue catalogue) {
    Object boards = ReflectionTestUtils.getField(catalogue, "boards");
    inForce = (Map<BoardId, Board>) Objects.requireNonNull(boards);
    shipped = Map.copyOf(inForce);
  }

  void begin() {
    inForce.clear();
  }

  void end() {
    inForce.clear();
    inForce.putAll(shipped);
  }

  Board add(String rules) {
    return put("b" + NUMBERS.incrementAndGet(), rules);
  }

  /** Boards that know each other, as those of a family do. */
  List<Board> addAll(List<String> rules) {
    var files = new ArrayList<BoardFile>();
    rules.forEach(text -> files.add(new BoardFile("b" + NUMBERS.incrementAndGet() + ".yml", text)));
    var read = BoardFiles.read(files);
    var boards = new ArrayList<Board>();
    for (BoardFile file : files) {
      var id = new BoardId(file.name().replace(".yml", ""));
      boards.add(read.find(id).orElseThrow());
    }
    boards.forEach(board -> inForce.put(board.id(), board));
    return boards;
  }

  /** The same board with another file, as after an edit and a restart. */
  Board edit(Board board, String rules) {
    return put(board.id().value(), rules);
  }

  private Board put(String id, String rules) {
    Board board = BoardFiles.parse(new BoardId(id), rules);
    inForce.put(board.id(), board);
    return board;
  }
}

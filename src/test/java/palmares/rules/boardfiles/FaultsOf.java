package palmares.rules.boardfiles;

import java.util.List;
import palmares.platform.form.Faults.Fault;
import palmares.rules.board.BoardId;

/** Reads the text of a board file and returns its faults. */
final class FaultsOf {
  private FaultsOf() {}

  static List<Fault> text(String text) {
    try {
      BoardFiles.parse(new BoardId("wrong"), text);
      return List.of();
    } catch (BoardFilesException e) {
      return e.faults();
    }
  }
}

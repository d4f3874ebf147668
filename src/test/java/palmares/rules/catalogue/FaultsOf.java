package palmares.rules.catalogue;

import java.util.List;
import palmares.platform.form.Fault;
import palmares.rules.board.BoardId;

/** What is wrong with a text. */
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

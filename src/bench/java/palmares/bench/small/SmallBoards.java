package palmares.bench.small;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import palmares.bench.Resource;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardFile;

/**
 * Boards with the same rules, whose days all end at the same midnight.
 *
 * @param count number of boards, from 1 to {@link #MAX_BOARDS}
 */
public record SmallBoards(int count) {
  /** The largest number of five digits. */
  public static final int MAX_BOARDS = 99_999;

  static final String ACTION = "play";

  public SmallBoards {
    if (count < 1 || count > MAX_BOARDS) {
      throw new IllegalArgumentException(
          "the number of boards is from 1 to %2$d, not %1$d".formatted(count, MAX_BOARDS));
    }
  }

  /** The board files. */
  public List<BoardFile> files() {
    String rules = Resource.text("bench-small.yml");
    return ids().stream().map(id -> new BoardFile(id + ".yml", rules)).toList();
  }

  List<BoardId> ids() {
    return IntStream.rangeClosed(1, count)
        .mapToObj(n -> new BoardId(String.format(Locale.ROOT, "small-%05d", n)))
        .toList();
  }
}

package palmares.bench.small;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.BoardFile;

/**
 * Boards with the same rules, whose days all end at the same midnight.
 *
 * @param count how many; from 1 to {@link #MOST}
 */
public record SmallBoards(int count) {
  /** More than their names have digits for. */
  public static final int MOST = 99_999;

  static final String ACTION = "play";

  private static final String RULES = "/bench/bench-small.yml";

  /**
   * @throws IllegalArgumentException if there are none, or too many
   */
  public SmallBoards {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException(
          "%d boards are not within 1 and %d".formatted(count, MOST));
    }
  }

  /** Their files. */
  public List<BoardFile> files() {
    String rules = rules();
    return ids().stream().map(id -> new BoardFile(id + ".yml", rules)).toList();
  }

  List<BoardId> ids() {
    return IntStream.rangeClosed(1, count)
        .mapToObj(n -> new BoardId(String.format(Locale.ROOT, "small-%05d", n)))
        .toList();
  }

  private static String rules() {
    try (InputStream in = SmallBoards.class.getResourceAsStream(RULES)) {
      return new String(Objects.requireNonNull(in, RULES).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(RULES, e);
    }
  }
}

package palmares.bench.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import palmares.rules.board.BoardId;
import palmares.rules.board.RankMethod;
import palmares.rules.catalogue.BoardFile;

/** The boards that are asked: one for each way to rank equals. */
public final class ReadBoards {
  private ReadBoards() {}

  /** Their files. */
  public static List<BoardFile> files() {
    return Arrays.stream(RankMethod.values()).map(ReadBoards::file).toList();
  }

  static BoardId id(RankMethod method) {
    return new BoardId("bench-read-" + method.word());
  }

  private static BoardFile file(RankMethod method) {
    String file = id(method) + ".yml";
    try (InputStream in = ReadBoards.class.getResourceAsStream("/bench/" + file)) {
      byte[] text = Objects.requireNonNull(in, file).readAllBytes();
      return new BoardFile(file, new String(text, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }
}

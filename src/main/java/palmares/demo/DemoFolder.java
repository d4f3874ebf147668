package palmares.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;
import palmares.embedded.EmbeddedServers;

/** The folder that a demo plays in: a fresh one each time, and never one with data of value. */
public final class DemoFolder {
  /** A file of this name says that the folder is a demo's, and may be emptied by the next. */
  private static final String MARK = "this-is-a-demo";

  private DemoFolder() {}

  /**
   * Makes the folder, without what an earlier demo left there.
   *
   * @throws IllegalArgumentException if it holds something that is not a demo's
   * @throws palmares.embedded.ServersUnavailable if a demo is still running there
   */
  public static void makeFresh(Path folder) {
    try {
      if (Files.exists(folder.resolve(MARK))) {
        // Whoever owns the folder is running; servers that a killed demo left behind are stopped.
        EmbeddedServers.own(folder, "demo").close();
        FileSystemUtils.deleteRecursively(folder);
      }
      requireEmpty(folder);
      Files.createDirectories(folder);
      Files.createFile(folder.resolve(MARK));
    } catch (IOException e) {
      throw new UncheckedIOException("the demo's folder " + folder + " cannot be made: " + e, e);
    }
  }

  private static void requireEmpty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> content = Files.list(folder)) {
      if (content.findAny().isPresent()) {
        throw new IllegalArgumentException(
            "%s holds data that is no demo's: name an empty folder, or one that is not there"
                .formatted(folder));
      }
    }
  }
}

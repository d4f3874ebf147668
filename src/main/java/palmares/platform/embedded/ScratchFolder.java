package palmares.platform.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/** A folder of servers that are made afresh each time: never one with data of value. */
public final class ScratchFolder {
  private final String purpose;

  /**
   * @param purpose one word for whose folder it is; a file tells, so that the next may empty it
   */
  public ScratchFolder(String purpose) {
    this.purpose = purpose;
  }

  /**
   * Makes the folder, without what was left there by an earlier run of the same purpose.
   *
   * @throws IllegalArgumentException if it holds something else
   * @throws ServersUnavailable if an earlier run still goes on there
   */
  public void makeFresh(Path folder) {
    Path mark = folder.resolve("this-is-a-" + purpose);
    try {
      if (Files.exists(mark)) {
        // Whoever owns the folder is running; servers that a killed run left behind are stopped.
        EmbeddedServers.own(folder, purpose).close();
        FileSystemUtils.deleteRecursively(folder);
      }
      requireEmpty(folder);
      OwnerOnly.createFolders(folder);
      OwnerOnly.createFile(mark);
    } catch (IOException e) {
      throw new UncheckedIOException("the folder " + folder + " cannot be made: " + e, e);
    }
  }

  private void requireEmpty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> content = Files.list(folder)) {
      if (content.findAny().isPresent()) {
        throw new IllegalArgumentException(
            "%s holds data that is no %s's: name an empty folder, or one that is not there"
                .formatted(folder, purpose));
      }
    }
  }
}

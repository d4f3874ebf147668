package palmares.platform.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;
import palmares.platform.text.InvalidValue;

/** A data folder that is emptied before each use, for demos and measurements. */
public final class ScratchFolder {
  private final String purpose;

  /**
   * @param purpose one word; a marker file named after it allows the next use to empty the folder
   */
  public ScratchFolder(String purpose) {
    this.purpose = purpose;
  }

  /**
   * Creates the folder, without the content of an earlier use for the same purpose.
   *
   * @throws InvalidValue if it has other content
   * @throws ServersUnavailable if another process is using it
   */
  public void recreate(Path folder) {
    Path marker = folder.resolve("this-is-a-" + purpose);
    try {
      if (Files.exists(marker)) {
        // Fails if the folder has an owner; stops the orphans of an owner that was killed.
        EmbeddedServers.own(folder, purpose).close();
        FileSystemUtils.deleteRecursively(folder);
      }
      requireEmpty(folder);
      OwnerOnly.createFolders(folder);
      OwnerOnly.createFile(marker);
    } catch (IOException e) {
      throw new UncheckedIOException("the folder " + folder + " cannot be created: " + e, e);
    }
  }

  private void requireEmpty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> content = Files.list(folder)) {
      if (content.findAny().isPresent()) {
        throw new InvalidValue(new ServerSentences.OtherData(folder.toString(), purpose));
      }
    }
  }
}

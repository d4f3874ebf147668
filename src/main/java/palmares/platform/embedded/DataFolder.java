package palmares.platform.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * The folder of one installation's servers: where each thing in it lies, and whether it will do.
 */
record DataFolder(Path root) {
  private static final long MEGABYTE = 1L << 20;

  /** Binaries, a fresh cluster and its first write-ahead log. */
  private static final long FREE_AT_FIRST = 384 * MEGABYTE;

  private static final long FREE_LATER = 64 * MEGABYTE;

  /** Makes the folder if need be; it is its owner's alone, for it holds the servers' password. */
  static DataFolder at(Path data) {
    Path asked = data.toAbsolutePath().normalize();
    try {
      if (!Files.isDirectory(asked)) {
        Path parent = asked.getParent();
        if (parent != null) {
          Files.createDirectories(parent);
        }
        OwnerOnly.createFolders(asked);
      }
      DataFolder folder = new DataFolder(asked.toRealPath());
      OwnerOnly.createFolders(folder.logs());
      return folder;
    } catch (IOException e) {
      throw unusable(asked, e);
    }
  }

  Path claim() {
    return root.resolve("palmares.lock");
  }

  Path guests() {
    return root.resolve("guests.lock");
  }

  Path notice() {
    return root.resolve("servers.properties");
  }

  Path binaries() {
    return root.resolve("bin");
  }

  Path postgres() {
    return root.resolve("postgres");
  }

  Path redis() {
    return root.resolve("redis");
  }

  Path logs() {
    return root.resolve("log");
  }

  /** The password of both servers, made once. */
  String secret() throws IOException {
    Path file = root.resolve("secret");
    if (!Files.exists(file)) {
      byte[] random = new byte[24];
      new SecureRandom().nextBytes(random);
      replace(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }
    return Files.readString(file).strip();
  }

  /** Writes a file that only its owner may read, whole or not at all. */
  void replace(Path file, String content) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    OwnerOnly.createFile(fresh);
    Files.writeString(fresh, content);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The last lines of a server's log, for a message that says why it failed. */
  static String tail(Path log) throws IOException {
    if (!Files.exists(log)) {
      return "";
    }
    List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  void requireSpace() throws IOException {
    long needed = Files.exists(postgres()) ? FREE_LATER : FREE_AT_FIRST;
    long free = Files.getFileStore(root).getUsableSpace();
    if (free < needed) {
      throw full(
          "%d MB are free there, %d MB are needed".formatted(free / MEGABYTE, needed / MEGABYTE));
    }
  }

  ServersUnavailable unusable(IOException e) {
    return unusable(root, e);
  }

  ServersUnavailable full(String detail) {
    return new ServersUnavailable(
        "The disk of the data folder %s is full: %s.".formatted(root, detail),
        "Free some space, or name a folder on another disk with --data.");
  }

  private static ServersUnavailable unusable(Path folder, IOException e) {
    if (String.valueOf(e.getMessage()).contains("No space left on device")) {
      return new DataFolder(folder).full("no space is left on it");
    }
    return new ServersUnavailable(
        "The data folder %s cannot be used: %s.".formatted(folder, reason(e)),
        "Make it a folder that user %s may write to, or name another one with --data."
            .formatted(System.getProperty("user.name")),
        e);
  }

  private static String reason(IOException e) {
    if (e instanceof FileAlreadyExistsException there) {
      return there.getFile() + " is a file";
    }
    if (e instanceof AccessDeniedException denied) {
      return "no right to write to " + denied.getFile();
    }
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getFile() + ": " + file.getReason();
    }
    String name = e.getClass().getSimpleName();
    return e.getMessage() == null ? name : name + ": " + e.getMessage();
  }
}

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
import palmares.platform.text.Sentence;

/** The folder of an installation's embedded servers: its layout, and checks that it is usable. */
record DataFolder(Path root) {
  /** The option that names another folder. */
  static final String OPTION = "--data";

  private static final long MEGABYTE = 1L << 20;

  /** For the binaries, a new cluster and its first write-ahead log. */
  private static final long MIN_FREE_BYTES_FOR_NEW = 384 * MEGABYTE;

  private static final long MIN_FREE_BYTES = 64 * MEGABYTE;

  /** Creates the folder if it is missing; only its owner may read it, for it has the password. */
  static DataFolder at(Path data) {
    Path path = data.toAbsolutePath().normalize();
    try {
      if (!Files.isDirectory(path)) {
        Path parent = path.getParent();
        if (parent != null) {
          Files.createDirectories(parent);
        }
        OwnerOnly.createFolders(path);
      }
      DataFolder folder = new DataFolder(path.toRealPath());
      OwnerOnly.createFolders(folder.logs());
      return folder;
    } catch (IOException e) {
      throw unusable(path, e);
    }
  }

  Path ownershipLock() {
    return root.resolve("palmares.lock");
  }

  Path serverFile() {
    return root.resolve("servers.properties");
  }

  /** How far the clock of a sandbox is ahead of the machine's; there is none for real data. */
  Path sandboxClock() {
    return root.resolve("sandbox-clock");
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

  /** The password of both servers, generated once. */
  String secret() throws IOException {
    Path file = root.resolve("secret");
    if (!Files.exists(file)) {
      byte[] random = new byte[24];
      new SecureRandom().nextBytes(random);
      replace(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }
    return Files.readString(file).strip();
  }

  /** Writes a file atomically; only its owner may read it. */
  void replace(Path file, String content) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(temporary);
    OwnerOnly.createFile(temporary);
    Files.writeString(temporary, content);
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The last five lines of a server's log, for messages about its failure. */
  static String tail(Path log) throws IOException {
    if (!Files.exists(log)) {
      return "";
    }
    List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  void requireSpace() throws IOException {
    long needed = Files.exists(postgres()) ? MIN_FREE_BYTES : MIN_FREE_BYTES_FOR_NEW;
    long free = Files.getFileStore(root).getUsableSpace();
    if (free < needed) {
      throw full(new ServerSentences.TooLittleSpace(free / MEGABYTE, needed / MEGABYTE));
    }
  }

  ServersUnavailable unusable(IOException e) {
    return unusable(root, e);
  }

  ServersUnavailable full(Sentence why) {
    return new ServersUnavailable(
        new ServerSentences.DiskFull(root.toString(), why), new ServerSentences.FreeSpace(OPTION));
  }

  private static ServersUnavailable unusable(Path folder, IOException e) {
    if (String.valueOf(e.getMessage()).contains("No space left on device")) {
      return new DataFolder(folder).full(new ServerSentences.NoSpaceLeft());
    }
    return new ServersUnavailable(
        new ServerSentences.FolderUnusable(folder.toString(), reason(e)),
        new ServerSentences.MakeFolder(System.getProperty("user.name"), OPTION),
        e);
  }

  private static Sentence reason(IOException e) {
    if (e instanceof FileAlreadyExistsException exists) {
      return new ServerSentences.IsFile(exists.getFile());
    }
    if (e instanceof AccessDeniedException denied) {
      return new ServerSentences.NoPermission(denied.getFile());
    }
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return Sentence.verbatim(file.getFile() + ": " + file.getReason());
    }
    String name = e.getClass().getSimpleName();
    return Sentence.verbatim(e.getMessage() == null ? name : name + ": " + e.getMessage());
  }
}

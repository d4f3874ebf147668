package palmares.platform.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Creates files and folders that only their owner may read, in this process and in others. */
final class OwnerOnly {
  private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private OwnerOnly() {}

  static void createFolders(Path folder) throws IOException {
    Files.createDirectories(folder, FOLDER);
  }

  static void createParent(Path file) throws IOException {
    Path parent = file.getParent();
    if (parent != null) {
      createFolders(parent);
    }
  }

  static void createFile(Path file) throws IOException {
    Files.createFile(file, FILE);
  }

  static FileChannel open(Path file, Set<OpenOption> options) throws IOException {
    return FileChannel.open(file, options, FILE);
  }

  /** Wraps a command so that its files are for their owner only: Java cannot set the umask. */
  static List<String> command(List<String> command) {
    var wrapped = new ArrayList<>(List.of("/bin/sh", "-c", "umask 077 && exec \"$@\"", "sh"));
    wrapped.addAll(command);
    return wrapped;
  }
}

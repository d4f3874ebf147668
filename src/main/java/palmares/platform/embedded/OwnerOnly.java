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

/** Makes files and folders that nobody but their owner may read, by this process and by others. */
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

  /** The command, run so that it makes files of this kind too: Java cannot set the umask. */
  static List<String> command(List<String> command) {
    var whole = new ArrayList<>(List.of("/bin/sh", "-c", "umask 077 && exec \"$@\"", "sh"));
    whole.addAll(command);
    return whole;
  }
}

package palmares.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Identifies a daemon by its process id and by a path in its command line that no other process
 * has, because ids are reused.
 */
record ServerProcess(long pid, Path argument) {
  /** The running daemon whose id is the first line of a file, if its command line has the path. */
  static Optional<ServerProcess> of(Path pidFile, Path argument) throws IOException {
    try {
      String first = Files.readString(pidFile).lines().findFirst().orElse("").strip();
      return first.matches("\\d{1,18}")
          ? Optional.of(new ServerProcess(Long.parseLong(first), argument))
              .filter(ServerProcess::isAlive)
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** False for a zombie, which has no command line any more. */
  boolean isAlive() {
    return process().isPresent();
  }

  void terminate() {
    process().ifPresent(ProcessHandle::destroy);
  }

  private Optional<ProcessHandle> process() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::hasArgument);
  }

  private boolean hasArgument(ProcessHandle process) {
    String wanted = this.argument.toString();
    return process.info().arguments().stream()
        .flatMap(Arrays::stream)
        .anyMatch(argument -> argument.equals(wanted));
  }
}

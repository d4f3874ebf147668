package palmares.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A server process that lives on its own: known by its id, and by a path in its command line that
 * no other process has, because ids are used again.
 */
record ServerProcess(long pid, Path mark) {
  /** The daemon whose id is the first line of a file, if it lives and really bears the mark. */
  static Optional<ServerProcess> of(Path pidFile, Path mark) throws IOException {
    try {
      String first = Files.readString(pidFile).lines().findFirst().orElse("").strip();
      return first.matches("\\d{1,18}")
          ? Optional.of(new ServerProcess(Long.parseLong(first), mark)).filter(ServerProcess::lives)
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** A zombie has no command line any more, so it does not count as living. */
  boolean lives() {
    return process().isPresent();
  }

  void terminate() {
    process().ifPresent(ProcessHandle::destroy);
  }

  void kill() {
    process().ifPresent(ProcessHandle::destroyForcibly);
  }

  private Optional<ProcessHandle> process() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::bearsMark);
  }

  private boolean bearsMark(ProcessHandle process) {
    String wanted = mark.toString();
    return process.info().arguments().stream()
        .flatMap(Arrays::stream)
        .anyMatch(argument -> argument.equals(wanted));
  }
}

package palmares.platform.embedded;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The right to start a folder's servers: one process has it, and loses it when it dies. */
final class OwnershipLock {
  /**
   * A process that closes any channel to a file loses all its locks on that file (POSIX), so this
   * process must not open a lock file that it holds.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private OwnershipLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Empty when another process, or another place in this one, has it. */
  static Optional<OwnershipLock> take(Path file) throws IOException {
    if (!HELD.add(file)) {
      return Optional.empty();
    }
    boolean taken = false;
    try {
      FileChannel channel = OwnerOnly.open(file, Set.of(CREATE, WRITE));
      taken = channel.tryLock() != null;
      if (taken) {
        return Optional.of(new OwnershipLock(file, channel));
      }
      channel.close();
      return Optional.empty();
    } finally {
      if (!taken) {
        HELD.remove(file);
      }
    }
  }

  void release() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("closing " + file, e);
    } finally {
      HELD.remove(file);
    }
  }
}

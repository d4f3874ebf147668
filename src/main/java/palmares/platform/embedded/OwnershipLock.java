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

/** The exclusive right to run the servers of a folder. A process that dies loses it. */
final class OwnershipLock {
  /**
   * The files locked by this process, which must not open them again: closing any channel to a file
   * releases all the process's locks on it (POSIX).
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private OwnershipLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Empty if another process, or another caller in this one, holds the lock. */
  static Optional<OwnershipLock> take(Path file) throws IOException {
    if (!HELD.add(file)) {
      return Optional.empty();
    }
    boolean isTaken = false;
    try {
      FileChannel channel = OwnerOnly.open(file, Set.of(CREATE, WRITE));
      isTaken = channel.tryLock() != null;
      if (isTaken) {
        return Optional.of(new OwnershipLock(file, channel));
      }
      channel.close();
      return Optional.empty();
    } finally {
      if (!isTaken) {
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

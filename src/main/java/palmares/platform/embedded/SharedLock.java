package palmares.platform.embedded;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who uses the servers of a folder that another process owns. Guests share a lock on one file; the
 * owner takes it alone to know that nobody is left and nobody comes.
 *
 * <p>One book per folder in this process, for the reason that {@link OwnershipLock} gives.
 */
final class SharedLock {
  private static final Map<Path, SharedLock> BOOKS = new ConcurrentHashMap<>();

  private final Path file;
  private @Nullable FileChannel channel;
  private int guests;

  private SharedLock(Path file) {
    this.file = file;
  }

  static SharedLock of(DataFolder folder) {
    return BOOKS.computeIfAbsent(folder.guests(), SharedLock::new);
  }

  /** False when the owner has shut the book. */
  synchronized boolean enter() throws IOException {
    if (guests == 0 && !lock(Sharing.SHARED)) {
      return false;
    }
    guests++;
    return true;
  }

  synchronized void leave() throws IOException {
    if (--guests == 0) {
      unlock();
    }
  }

  /** False while there are guests, here or in other processes. */
  synchronized boolean shut() throws IOException {
    return lock(Sharing.ALONE);
  }

  synchronized void reopen() throws IOException {
    if (guests == 0) {
      unlock();
    }
  }

  private boolean lock(Sharing sharing) throws IOException {
    if (channel != null) {
      return false;
    }
    FileChannel opened = OwnerOnly.open(file, Set.of(CREATE, READ, WRITE));
    if (opened.tryLock(0, Long.MAX_VALUE, sharing == Sharing.SHARED) == null) {
      opened.close();
      return false;
    }
    channel = opened;
    return true;
  }

  private void unlock() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  private enum Sharing {
    SHARED,
    ALONE
  }
}

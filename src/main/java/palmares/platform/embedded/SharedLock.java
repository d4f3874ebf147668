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
 * Lets an owner know whether other processes use its servers. Users hold a shared lock on one file;
 * the owner acquires it exclusively, which succeeds after the last user and keeps others out.
 *
 * <p>There is one instance per folder in this process, for the reason in {@link OwnershipLock}.
 */
final class SharedLock {
  private static final Map<Path, SharedLock> INSTANCES = new ConcurrentHashMap<>();

  private final Path file;
  private @Nullable FileChannel channel;
  private int users;

  private SharedLock(Path file) {
    this.file = file;
  }

  static SharedLock of(DataFolder folder) {
    return INSTANCES.computeIfAbsent(folder.sharedLock(), SharedLock::new);
  }

  /** False if the owner is stopping its servers. */
  synchronized boolean acquireShared() throws IOException {
    if (users == 0 && !lock(true)) {
      return false;
    }
    users++;
    return true;
  }

  synchronized void releaseShared() throws IOException {
    if (--users == 0) {
      unlock();
    }
  }

  /** False if there are users, in this process or in others. */
  synchronized boolean acquireExclusive() throws IOException {
    return lock(false);
  }

  synchronized void releaseExclusive() throws IOException {
    if (users == 0) {
      unlock();
    }
  }

  private boolean lock(boolean isShared) throws IOException {
    if (channel != null) {
      return false;
    }
    FileChannel opened = OwnerOnly.open(file, Set.of(CREATE, READ, WRITE));
    if (opened.tryLock(0, Long.MAX_VALUE, isShared) == null) {
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
}

package palmares.platform.embedded;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Uses the servers of a data folder, as their owner or shared with their owner. */
interface ServerAccess {
  boolean owns();

  /**
   * Restarts the servers of this process that have died.
   *
   * @return their names; empty if all run, or another process owns them
   */
  List<String> restartDead() throws IOException;

  void end() throws IOException;

  /** Uses the servers of another owner, and holds the shared lock meanwhile. */
  record Shared(SharedLock lock) implements ServerAccess {
    /** Empty if the owner is just starting or stopping. */
    static Optional<EmbeddedServers> join(DataFolder folder) throws IOException {
      SharedLock lock = SharedLock.of(folder);
      if (!lock.acquireShared()) {
        return Optional.empty();
      }
      Optional<ServerFile> serverFile = ServerFile.read(folder);
      if (serverFile.isEmpty()) {
        lock.releaseShared();
        return Optional.empty();
      }
      return Optional.of(
          new EmbeddedServers(folder, serverFile.get(), folder.secret(), new Shared(lock)));
    }

    @Override
    public boolean owns() {
      return false;
    }

    @Override
    public List<String> restartDead() {
      return List.of();
    }

    @Override
    public void end() throws IOException {
      lock.releaseShared();
    }
  }
}

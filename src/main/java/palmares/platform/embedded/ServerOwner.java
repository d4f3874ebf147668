package palmares.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Owns a data folder and runs its servers until it stops them and releases the ownership. */
final class ServerOwner {
  private final DataFolder folder;
  private final OwnershipLock ownershipLock;
  private final Deque<Action> stopActions = new ArrayDeque<>();
  private final List<Server> servers = new ArrayList<>();

  private record Server(String name, Polling.Condition<IOException> isRunning, Action start) {}

  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  private ServerOwner(DataFolder folder, OwnershipLock ownershipLock) {
    this.folder = folder;
    this.ownershipLock = ownershipLock;
  }

  /** Takes the ownership and starts the servers; empty if another process owns the folder. */
  static Optional<EmbeddedServers> start(DataFolder folder, String purpose) throws IOException {
    Optional<OwnershipLock> ownershipLock = OwnershipLock.take(folder.ownershipLock());
    if (ownershipLock.isEmpty()) {
      return Optional.empty();
    }
    ServerOwner owner = new ServerOwner(folder, ownershipLock.get());
    try {
      folder.requireSpace();
      return Optional.of(owner.startServers(purpose));
    } catch (IOException | RuntimeException e) {
      owner.abort(e);
      throw e;
    }
  }

  private EmbeddedServers startServers(String purpose) throws IOException {
    Files.deleteIfExists(folder.serverFile());
    PostgresServer postgres = PostgresServer.of(folder);
    stopActions.push(postgres::stop);
    RedisServer redis = RedisServer.of(folder);
    stopActions.push(redis::stop);
    // Stops the orphans of an owner that was killed; they have lost nothing.
    redis.stop();
    postgres.stop();
    String secret = folder.secret();
    int postgresPort = Port.findFree();
    String postgresVersion = postgres.start(postgresPort, secret);
    int redisPort = Port.findFree();
    String redisVersion = redis.start(redisPort, secret);
    servers.add(
        new Server("PostgreSQL", postgres::isRunning, () -> postgres.start(postgresPort, secret)));
    servers.add(new Server("Redis", redis::isRunning, () -> redis.start(redisPort, secret)));
    ServerFile serverFile =
        new ServerFile(
            ProcessId.current(), purpose, postgresPort, postgresVersion, redisPort, redisVersion);
    serverFile.write(folder);
    return new EmbeddedServers(folder, serverFile, secret, this);
  }

  /**
   * Restarts the servers that have died.
   *
   * @return their names; empty if all run
   */
  synchronized List<String> restartDead() throws IOException {
    var restarted = new ArrayList<String>();
    for (Server server : servers) {
      if (!server.isRunning().holds()) {
        server.start().run();
        restarted.add(server.name());
      }
    }
    return restarted;
  }

  private void abort(Exception reason) {
    try {
      stopServers();
    } catch (IOException | RuntimeException e) {
      reason.addSuppressed(e);
    }
  }

  /** Stops the servers and releases the ownership. */
  synchronized void stopServers() throws IOException {
    servers.clear();
    try {
      Files.deleteIfExists(folder.serverFile());
      stopNext();
    } finally {
      ownershipLock.release();
    }
  }

  /** Stops in reverse order; if one server fails to stop, the others are stopped nevertheless. */
  private void stopNext() throws IOException {
    if (!stopActions.isEmpty()) {
      try {
        stopActions.pop().run();
      } finally {
        stopNext();
      }
    }
  }
}

package palmares.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Holds the claim to a folder and runs its servers until it gives both up. */
final class ServerOwner implements ServerAccess {
  private final DataFolder folder;
  private final OwnershipLock ownershipLock;
  private final SharedShutdown sharedShutdown;
  private final Deque<SharedShutdown.Stop> started = new ArrayDeque<>();

  private final List<Server> servers = new ArrayList<>();

  /** One that was started once, and may be again. */
  private record Server(
      String name, Polling.Condition<IOException> lives, SharedShutdown.Stop start) {}

  private ServerOwner(
      DataFolder folder, OwnershipLock ownershipLock, SharedShutdown sharedShutdown) {
    this.folder = folder;
    this.ownershipLock = ownershipLock;
    this.sharedShutdown = sharedShutdown;
  }

  /** Empty when another has the claim. */
  static Optional<EmbeddedServers> start(
      DataFolder folder, String purpose, SharedShutdown sharedShutdown) throws IOException {
    Optional<OwnershipLock> ownershipLock = OwnershipLock.take(folder.claim());
    if (ownershipLock.isEmpty()) {
      return Optional.empty();
    }
    ServerOwner owner = new ServerOwner(folder, ownershipLock.get(), sharedShutdown);
    try {
      folder.requireSpace();
      return Optional.of(owner.startServers(purpose));
    } catch (IOException | RuntimeException e) {
      owner.giveUp(e);
      throw e;
    }
  }

  private EmbeddedServers startServers(String purpose) throws IOException {
    Files.deleteIfExists(folder.notice());
    PostgresServer postgres = PostgresServer.of(folder);
    started.push(postgres::stop);
    RedisServer redis = RedisServer.of(folder);
    started.push(redis::stop);
    stopOrphans(postgres, redis);
    String secret = folder.secret();
    int postgresPort = Port.free();
    String postgresVersion = postgres.start(postgresPort, secret);
    int redisPort = Port.free();
    String redisVersion = redis.start(redisPort, secret);
    servers.add(
        new Server("PostgreSQL", postgres::isRunning, () -> postgres.start(postgresPort, secret)));
    servers.add(new Server("Redis", redis::isRunning, () -> redis.start(redisPort, secret)));
    ProcessHandle self = ProcessHandle.current();
    ServerFile serverFile =
        new ServerFile(
            self.pid(),
            ServerFile.start(self),
            purpose,
            postgresPort,
            postgresVersion,
            redisPort,
            redisVersion);
    serverFile.write(folder);
    return new EmbeddedServers(folder, serverFile, secret, this);
  }

  @Override
  public boolean owns() {
    return true;
  }

  @Override
  public synchronized List<String> revive() throws IOException {
    var revived = new ArrayList<String>();
    for (Server server : servers) {
      if (!server.lives().holds()) {
        server.start().run();
        revived.add(server.name());
      }
    }
    return revived;
  }

  @Override
  public void end() throws IOException {
    SharedLock guests = SharedLock.of(folder);
    try {
      sharedShutdown.from(guests, this::stopServers);
    } finally {
      guests.reopen();
    }
  }

  /** Those of an owner that was killed: they have lost nothing, but nobody minds them. */
  private static void stopOrphans(PostgresServer postgres, RedisServer redis) throws IOException {
    redis.stop();
    postgres.stop();
  }

  private void giveUp(Exception reason) {
    try {
      stopServers();
    } catch (IOException | RuntimeException e) {
      reason.addSuppressed(e);
    }
  }

  private synchronized void stopServers() throws IOException {
    servers.clear();
    try {
      Files.deleteIfExists(folder.notice());
      stopNext();
    } finally {
      ownershipLock.release();
    }
  }

  /** Last started, first stopped; one that fails does not spare the others. */
  private void stopNext() throws IOException {
    if (!started.isEmpty()) {
      try {
        started.pop().run();
      } finally {
        stopNext();
      }
    }
  }
}

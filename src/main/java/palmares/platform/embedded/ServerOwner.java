package palmares.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Owns a data folder and runs its servers until it stops them and releases the ownership. */
final class ServerOwner implements ServerAccess {
  private static final long POLLING_INTERVAL_MILLIS = 100;

  private final DataFolder folder;
  private final OwnershipLock ownershipLock;
  private final Shutdown shutdown;
  private final Deque<Action> stopActions = new ArrayDeque<>();
  private final List<Server> servers = new ArrayList<>();

  /** When an owner stops servers that other processes use. */
  enum Shutdown {
    /** At once: a server process was stopped on purpose. */
    IMMEDIATE,
    /** After the last user, because a command owns the servers only because it came first. */
    AFTER_LAST_USER
  }

  private record Server(String name, Polling.Condition<IOException> isRunning, Action start) {}

  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  private ServerOwner(DataFolder folder, OwnershipLock ownershipLock, Shutdown shutdown) {
    this.folder = folder;
    this.ownershipLock = ownershipLock;
    this.shutdown = shutdown;
  }

  /** Takes the ownership and starts the servers; empty if another process owns the folder. */
  static Optional<EmbeddedServers> start(DataFolder folder, String purpose, Shutdown shutdown)
      throws IOException {
    Optional<OwnershipLock> ownershipLock = OwnershipLock.take(folder.ownershipLock());
    if (ownershipLock.isEmpty()) {
      return Optional.empty();
    }
    ServerOwner owner = new ServerOwner(folder, ownershipLock.get(), shutdown);
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
    ProcessHandle self = ProcessHandle.current();
    ServerFile serverFile =
        new ServerFile(
            self.pid(),
            ServerFile.startOf(self),
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
  public synchronized List<String> restartDead() throws IOException {
    var restarted = new ArrayList<String>();
    for (Server server : servers) {
      if (!server.isRunning().holds()) {
        server.start().run();
        restarted.add(server.name());
      }
    }
    return restarted;
  }

  @Override
  public void end() throws IOException {
    SharedLock users = SharedLock.of(folder);
    try {
      if (shutdown == Shutdown.AFTER_LAST_USER) {
        stopAfterLastUser(users);
      } else {
        stopServers();
      }
    } finally {
      users.releaseExclusive();
    }
  }

  /** A signal to stop this process, such as Ctrl-C, ends the waiting. */
  private void stopAfterLastUser(SharedLock users) throws IOException {
    CountDownLatch signalled = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Thread hook = new Thread(() -> signalAndAwait(signalled, stopped), "palmares-owner-shutdown");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      signalled.countDown(); // The process is already being stopped.
    }
    try {
      awaitUsers(users, signalled);
      stopServers();
    } finally {
      stopped.countDown();
      removeShutdownHook(hook);
    }
  }

  /** Ends at the latest with the users' processes: the system releases the locks of dead ones. */
  private static void awaitUsers(SharedLock users, CountDownLatch signalled) throws IOException {
    boolean isAnnounced = false;
    while (signalled.getCount() > 0 && !users.acquireExclusive()) {
      if (!isAnnounced) {
        System.err.println(
            "Other processes use the embedded servers; waiting until they end (Ctrl-C stops).");
        isAnnounced = true;
      }
      try {
        if (signalled.await(POLLING_INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void signalAndAwait(CountDownLatch signalled, CountDownLatch stopped) {
    signalled.countDown();
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void removeShutdownHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // The hook is running, and ends now.
    }
  }

  private void abort(Exception reason) {
    try {
      stopServers();
    } catch (IOException | RuntimeException e) {
      reason.addSuppressed(e);
    }
  }

  private synchronized void stopServers() throws IOException {
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

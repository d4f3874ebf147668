package palmares.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Holds the claim to a folder and runs its servers until it gives both up. */
final class Owner implements Tenure {
  private final DataFolder folder;
  private final Claim claim;
  private final Parting parting;
  private final Deque<Parting.Stop> started = new ArrayDeque<>();

  private final List<Server> servers = new ArrayList<>();

  /** One that was started once, and may be again. */
  private record Server(String name, Patience.Condition<IOException> lives, Parting.Stop start) {}

  private Owner(DataFolder folder, Claim claim, Parting parting) {
    this.folder = folder;
    this.claim = claim;
    this.parting = parting;
  }

  /** Empty when another has the claim. */
  static Optional<EmbeddedServers> start(DataFolder folder, String purpose, Parting parting)
      throws IOException {
    Optional<Claim> claim = Claim.take(folder.claim());
    if (claim.isEmpty()) {
      return Optional.empty();
    }
    Owner owner = new Owner(folder, claim.get(), parting);
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
    Postgres postgres = Postgres.of(folder);
    started.push(postgres::stop);
    Redis redis = Redis.of(folder);
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
    Notice notice =
        new Notice(
            self.pid(),
            Notice.start(self),
            purpose,
            postgresPort,
            postgresVersion,
            redisPort,
            redisVersion);
    notice.write(folder);
    return new EmbeddedServers(folder, notice, secret, this);
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
    GuestBook guests = GuestBook.of(folder);
    try {
      parting.from(guests, this::stopServers);
    } finally {
      guests.reopen();
    }
  }

  /** Those of an owner that was killed: they have lost nothing, but nobody minds them. */
  private static void stopOrphans(Postgres postgres, Redis redis) throws IOException {
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
      claim.release();
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

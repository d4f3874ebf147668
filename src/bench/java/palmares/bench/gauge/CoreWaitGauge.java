package palmares.bench.gauge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import palmares.bench.Beans;

/**
 * For how long the thread of Redis that runs commands waits for a core, by what Linux counts: a
 * command that takes long on the wall may have worked, or may have waited.
 */
public final class CoreWaitGauge implements AutoCloseable {
  private static final long PAUSE_NANOS = 2_000_000;
  private static final double MILLION = 1e6;

  private final Optional<Path> counters;
  private final CompletableFuture<Void> watching;
  private volatile boolean over;
  private volatile double longest;

  /** Begins; of a server on another machine it sees nothing. */
  public CoreWaitGauge(Beans beans) {
    this.counters = counters(beans.get(RedisConnectionFactory.class));
    this.watching =
        counters.map(path -> CompletableFuture.runAsync(() -> watch(path))).orElse(done());
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  /** The main thread's, which has the process's number. */
  private static Optional<Path> counters(RedisConnectionFactory redis) {
    try (RedisConnection connection = redis.getConnection()) {
      @Nullable Properties server = connection.serverCommands().info("server");
      String id = server == null ? null : server.getProperty("process_id");
      Path process = Path.of("/proc", id == null ? "none" : id);
      boolean here =
          Files.isReadable(process.resolve("schedstat"))
              && Files.readString(process.resolve("comm")).matches("(?s)(redis|valkey).*");
      return here
          ? Optional.of(process.resolve("task").resolve("" + id).resolve("schedstat"))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private void watch(Path path) {
    double before = waited(path);
    while (!over) {
      LockSupport.parkNanos(PAUSE_NANOS);
      double now = waited(path);
      longest = Math.max(longest, now - before);
      before = now;
    }
  }

  /** All waits that are over: each is counted whole when it ends. Milliseconds. */
  private static double waited(Path path) {
    try {
      return Long.parseLong(Files.readString(path).split(" ")[1]) / MILLION;
    } catch (IOException e) {
      return 0;
    }
  }

  /** The longest wait for a core, in milliseconds; empty if nobody can tell. */
  public OptionalDouble end() {
    close();
    return counters.isPresent() ? OptionalDouble.of(longest) : OptionalDouble.empty();
  }

  @Override
  public void close() {
    over = true;
    watching.join();
  }
}

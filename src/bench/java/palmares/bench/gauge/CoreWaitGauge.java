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
 * Measures how long Redis' command thread waits for a core, from the counters of Linux. This
 * distinguishes a slow command from a busy machine.
 */
public final class CoreWaitGauge implements AutoCloseable {
  private static final long PAUSE_NANOS = 2_000_000;
  private static final double MILLION = 1e6;

  private final Optional<Path> counters;
  private final CompletableFuture<Void> watching;
  private volatile boolean stopped;
  private volatile double longest;

  /** Begins to measure. A server on another machine cannot be measured. */
  public CoreWaitGauge(Beans beans) {
    this.counters = counters(beans.get(RedisConnectionFactory.class));
    this.watching =
        counters.map(path -> CompletableFuture.runAsync(() -> watch(path))).orElse(done());
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  /** The counters of the main thread, whose id is the process id. */
  private static Optional<Path> counters(RedisConnectionFactory redis) {
    return pidHere(redis)
        .map(pid -> Path.of("/proc", "" + pid, "task", "" + pid, "schedstat"))
        .filter(Files::isReadable);
  }

  /** The process of a single Redis on this machine; empty if it runs on another one. */
  public static Optional<Long> pidHere(RedisConnectionFactory redis) {
    try (RedisConnection connection = redis.getConnection()) {
      @Nullable Properties server = connection.serverCommands().info("server");
      String id = server == null ? null : server.getProperty("process_id");
      Path name = Path.of("/proc", id == null ? "none" : id, "comm");
      boolean here =
          Files.isReadable(name) && Files.readString(name).matches("(?s)(redis|valkey).*");
      return here && id != null ? Optional.of(Long.valueOf(id)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private void watch(Path path) {
    double before = waited(path);
    while (!stopped) {
      LockSupport.parkNanos(PAUSE_NANOS);
      double now = waited(path);
      longest = Math.max(longest, now - before);
      before = now;
    }
  }

  /** Milliseconds of all waits that have ended; a wait is counted when it ends. */
  private static double waited(Path path) {
    try {
      return Long.parseLong(Files.readString(path).split(" ")[1]) / MILLION;
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * Ends the measurement.
   *
   * @return the longest wait in milliseconds; empty if it is unknown
   */
  public OptionalDouble end() {
    close();
    return counters.isPresent() ? OptionalDouble.of(longest) : OptionalDouble.empty();
  }

  @Override
  public void close() {
    stopped = true;
    watching.join();
  }
}

package palmares.bench.gauge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;

/** Measures processor time by process: {@code jvm}, {@code postgres} and {@code redis}. */
public final class CpuGauge {
  private final RedisConnectionFactory redis;
  private final PostgresProcesses postgres;
  private Map<String, Double> before = Map.of();

  public CpuGauge(Beans beans) {
    this.redis = beans.get(RedisConnectionFactory.class);
    this.postgres = new PostgresProcesses(beans.get(JdbcClient.class));
  }

  public void begin() {
    before = now();
  }

  /** The seconds used since the beginning; processes whose use is unknown are missing. */
  public Map<String, Double> end() {
    Map<String, Double> now = now();
    var used = new LinkedHashMap<String, Double>();
    before.forEach((who, then) -> used.put(who, now.getOrDefault(who, then) - then));
    return used;
  }

  private Map<String, Double> now() {
    var used = new LinkedHashMap<String, Double>();
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      used.put("jvm", system.getProcessCpuTime() / 1e9);
    }
    postgres.seconds().ifPresent(seconds -> used.put("postgres", seconds));
    used.put("redis", redis());
    return used;
  }

  private double redis() {
    try (RedisConnection connection = redis.getConnection()) {
      Properties info = connection.serverCommands().info("cpu");
      // In a cluster's answer, each name begins with the node and a dot.
      return info == null
          ? 0
          : info.stringPropertyNames().stream()
              .filter(name -> name.matches("(.*\\.)?used_cpu_(sys|user)"))
              .mapToDouble(name -> Double.parseDouble(info.getProperty(name)))
              .sum();
    }
  }

  /** The processes of a PostgreSQL on this machine, as Linux reports them. */
  record PostgresProcesses(JdbcClient jdbc) {
    private static final Path PROCESSES = Path.of("/proc");

    /** Linux reports processor time in hundredths of a second. */
    private static final double TICKS_PER_SECOND = 100;

    /** A process: the fields of its {@code stat} file in {@code /proc}, from the state on. */
    private record Process(String name, List<String> fields) {
      private static final int PARENT = 1;
      private static final int OWN_TIME = 11;
      private static final int CHILDREN_TIME = 13;

      static Optional<Process> of(String id) {
        try {
          String line = Files.readString(PROCESSES.resolve(id).resolve("stat"));
          int end = line.lastIndexOf(')');
          String name = line.substring(line.indexOf('(') + 1, end);
          return Optional.of(new Process(name, List.of(line.substring(end + 2).split(" "))));
        } catch (IOException gone) {
          return Optional.empty();
        }
      }

      String parent() {
        return fields.get(PARENT);
      }

      /** User and system time of the process. */
      long ownTicks() {
        return ticks(OWN_TIME);
      }

      /** User and system time of children that have ended. */
      long childrenTicks() {
        return ticks(CHILDREN_TIME);
      }

      private long ticks(int field) {
        return Long.parseLong(fields.get(field)) + Long.parseLong(fields.get(field + 1));
      }
    }

    /** Seconds of processor time of all processes; empty if it is unknown. */
    OptionalDouble seconds() {
      String backend = jdbc.sql("select pg_backend_pid()::text").query(String.class).single();
      Optional<String> postmaster =
          Process.of(backend).filter(found -> found.name().equals("postgres")).map(Process::parent);
      if (postmaster.isEmpty()) {
        return OptionalDouble.empty();
      }
      long ticks =
          Process.of(postmaster.get())
                  .map(process -> process.ownTicks() + process.childrenTicks())
                  .orElse(0L)
              + children(postmaster.get());
      return OptionalDouble.of(ticks / TICKS_PER_SECOND);
    }

    private static long children(String parent) {
      try (Stream<Path> files = Files.list(PROCESSES)) {
        return files
            .map(file -> String.valueOf(file.getFileName()))
            .filter(name -> name.chars().allMatch(Character::isDigit))
            .flatMap(id -> Process.of(id).stream())
            .filter(process -> process.parent().equals(parent))
            .mapToLong(Process::ownTicks)
            .sum();
      } catch (NoSuchFileException noSuchKernel) {
        return 0;
      } catch (IOException e) {
        throw new UncheckedIOException(PROCESSES.toString(), e);
      }
    }
  }
}

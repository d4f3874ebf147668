package palmares.bench.gauge;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Parts;

/** Whose processor time goes where while something runs: seconds by {@code jvm} and so on. */
public final class CpuGauge {
  private final RedisConnectionFactory redis;
  private final PostgresProcesses postgres;
  private Map<String, Double> before = Map.of();

  public CpuGauge(Parts parts) {
    this.redis = parts.get(RedisConnectionFactory.class);
    this.postgres = new PostgresProcesses(parts.get(JdbcClient.class));
  }

  public void begin() {
    before = now();
  }

  /** What was used since then, by whom; without those who do not tell. */
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
      Properties told = connection.serverCommands().info("cpu");
      // A cluster's answers come in one, with the node before each name and a dot between them.
      return told == null
          ? 0
          : told.stringPropertyNames().stream()
              .filter(name -> name.matches("(.*\\.)?used_cpu_(sys|user)"))
              .mapToDouble(name -> Double.parseDouble(told.getProperty(name)))
              .sum();
    }
  }
}

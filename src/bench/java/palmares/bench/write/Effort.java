package palmares.bench.write;

import java.util.Objects;
import java.util.Properties;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * How much of the processors has been used, in seconds.
 *
 * @param redis by the server of Redis
 * @param server by this process, which serves HTTP, and in which clients of Redis run
 */
record Effort(double redis, double server) {

  /** Since they began. */
  static Effort soFar(RedisConnectionFactory connections) {
    try (RedisConnection connection = connections.getConnection()) {
      Properties cpu = Objects.requireNonNull(connection.serverCommands().info("cpu"));
      return new Effort(
          seconds(cpu, "used_cpu_user") + seconds(cpu, "used_cpu_sys"), LoadGenerator.cpuSeconds());
    }
  }

  private static double seconds(Properties cpu, String name) {
    return Double.parseDouble(cpu.getProperty(name, "0"));
  }

  Effort since(Effort before) {
    return new Effort(redis - before.redis, server - before.server);
  }
}

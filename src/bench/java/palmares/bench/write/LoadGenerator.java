package palmares.bench.write;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the process does that sends events: reads the server and the Redis that it is to write to
 * and then volleys, a line of JSON each, and answers each volley with a line.
 */
public final class LoadGenerator {
  private static final JsonMapper JSON = JsonMapper.shared();

  private LoadGenerator() {}

  /**
   * Works until there are no more orders.
   *
   * @throws IOException if the server does not take a request
   */
  public static void run(InputStream orders, PrintStream answers) throws IOException {
    var lines = new BufferedReader(new InputStreamReader(orders, StandardCharsets.UTF_8));
    Server server = JSON.readValue(lines.readLine(), Server.class);
    RedisAddress redis = JSON.readValue(lines.readLine(), RedisAddress.class);
    var clients =
        Map.of(
            Volley.To.SERVER,
            new Clients(new HttpTarget(server)),
            Volley.To.REDIS,
            new Clients(new RedisTarget(redis)));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      double before = cpuSeconds();
      Volley volley = JSON.readValue(line, Volley.class);
      Pace pace = Objects.requireNonNull(clients.get(volley.to())).send(volley);
      answers.println(JSON.writeValueAsString(new Sent(pace, cpuSeconds() - before)));
    }
  }

  /** How much of the processors this process has used since it began; 0 where nobody tells. */
  static double cpuSeconds() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof com.sun.management.OperatingSystemMXBean sun
        ? sun.getProcessCpuTime() / 1e9
        : 0;
  }
}

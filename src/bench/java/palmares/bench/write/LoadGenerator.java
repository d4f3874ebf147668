package palmares.bench.write;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import palmares.bench.write.RedisTarget.RedisAddress;
import palmares.bench.write.SendResult.Pace;
import palmares.bench.write.Target.Connection;
import palmares.bench.write.WriteBench.Server;
import tools.jackson.databind.json.JsonMapper;

/**
 * The load generator. It reads lines of JSON: the server, the Redis, then volleys. It sends each
 * volley and answers with a line.
 */
public final class LoadGenerator {
  private static final JsonMapper JSON = JsonMapper.shared();

  private LoadGenerator() {}

  /**
   * Runs until the end of the input.
   *
   * @throws IOException if a request is refused
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
      answers.println(JSON.writeValueAsString(new SendResult(pace, cpuSeconds() - before)));
    }
  }

  /** Processor seconds of this process; 0 if they are unknown. */
  static double cpuSeconds() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof com.sun.management.OperatingSystemMXBean sun
        ? sun.getProcessCpuTime() / 1e9
        : 0;
  }

  /** The clients of one server, on one thread to use little of the machine. */
  static final class Clients {
    private final Target target;

    Clients(Target target) {
      this.target = target;
    }

    /**
     * Sends a volley; each client sends its next request when it has the last answer.
     *
     * @throws IOException if a request is refused
     */
    Pace send(Volley volley) throws IOException {
      var connections = new ArrayList<Connection>();
      try (Selector selector = Selector.open()) {
        try {
          for (int i = 0; i < Math.min(volley.clients(), volley.requests()); i++) {
            connections.add(target.connect(selector));
          }
          return send(volley, connections, selector);
        } finally {
          for (Connection connection : connections) {
            connection.close();
          }
        }
      }
    }

    private Pace send(Volley volley, List<Connection> connections, Selector selector)
        throws IOException {
      var took = new long[volley.requests()];
      long begun = System.nanoTime();
      int sent = 0;
      for (Connection connection : connections) {
        connection.send(sent, target.request(volley, sent), volley.batch(), System.nanoTime());
        sent++;
      }
      int answered = 0;
      while (answered < took.length) {
        selector.select();
        for (var key : selector.selectedKeys()) {
          var connection = (Connection) key.attachment();
          if (connection.advance()) {
            took[connection.number()] = System.nanoTime() - connection.sentAt();
            answered++;
            if (sent < took.length) {
              connection.send(
                  sent, target.request(volley, sent), volley.batch(), System.nanoTime());
              sent++;
            }
          }
        }
        selector.selectedKeys().clear();
      }
      return Pace.of(volley.events(), System.nanoTime() - begun, took);
    }
  }
}

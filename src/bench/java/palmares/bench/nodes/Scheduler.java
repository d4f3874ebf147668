package palmares.bench.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import palmares.bench.nodes.Applications.Application;
import palmares.platform.time.SettableClock;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The process of a scheduler. It reads lines: its properties as JSON; then a time, from which its
 * clock runs so that it closes what is due; or {@link #MEMORY}.
 */
public final class Scheduler {
  static final JsonMapper JSON = JsonMapper.shared();
  static final String READY = "ready";
  static final String MEMORY = "memory";

  private Scheduler() {}

  /** Starts an application that closes what is due by a clock. */
  public interface Launch {
    Application start(Map<String, String> properties, SettableClock clock);
  }

  /**
   * The use of memory after a garbage collection, in bytes.
   *
   * @param live objects, classes, compiled code and direct buffers
   * @param resident all memory of the process; 0 if it is unknown
   */
  record Memory(long live, long resident) {}

  /** Runs until the end of the input, as which the death of the parent process counts. */
  public static void run(Launch launch, InputStream orders, PrintStream answers)
      throws IOException {
    var lines = new BufferedReader(new InputStreamReader(orders, UTF_8));
    Map<String, String> properties =
        JSON.readValue(lines.readLine(), new TypeReference<Map<String, String>>() {});
    var clock = new SettableClock(Instant.EPOCH);
    Application application = launch.start(properties, clock);
    try {
      answers.println(READY);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals(MEMORY)) {
          answers.println(JSON.writeValueAsString(memory()));
        } else {
          clock.set(Instant.parse(line));
          clock.run();
        }
      }
    } finally {
      application.close();
    }
  }

  private static Memory memory() throws IOException {
    System.gc();
    var memory = ManagementFactory.getMemoryMXBean();
    long live =
        memory.getHeapMemoryUsage().getUsed()
            + memory.getNonHeapMemoryUsage().getUsed()
            + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    return new Memory(live, resident());
  }

  private static long resident() throws IOException {
    Path status = Path.of("/proc/self/status");
    return !Files.isReadable(status)
        ? 0
        : Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
            .sum();
  }
}

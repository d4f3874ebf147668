package palmares.bench.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import palmares.bench.WrongResult;

/** A scheduler in another process. */
final class SchedulerProcess implements AutoCloseable {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
  private static final int LOG_LINES = 20;

  private final String name;
  private final Path log;
  private final Process process;
  private final PrintStream orders;
  private final BufferedReader answers;

  private SchedulerProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.orders = new PrintStream(process.getOutputStream(), true, UTF_8);
    this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /**
   * Starts processes of schedulers.
   *
   * @param command runs {@link Scheduler#run} on the standard streams
   * @param logs the folder of their logs
   */
  record Starter(List<String> command, Path logs) {
    /**
     * Starts one, and waits until it is ready.
     *
     * @param name by which runs name it
     * @param properties of Spring
     * @throws WrongResult if it does not start
     */
    SchedulerProcess start(String name, Map<String, String> properties) throws IOException {
      Path log = logs.resolve(name.replace(' ', '-') + ".log");
      var process =
          new SchedulerProcess(
              name, log, new ProcessBuilder(command).redirectError(log.toFile()).start());
      var all = new HashMap<>(properties);
      all.put("palmares.node", name);
      all.put("palmares.anchors.folder", logs.resolve("anchors " + name).toString());
      // Secrets are passed this way, because arguments are visible to other users.
      process.orders.println(Scheduler.JSON.writeValueAsString(all));
      try {
        process.answer();
        return process;
      } catch (IOException | RuntimeException e) {
        process.kill();
        throw e;
      }
    }
  }

  String name() {
    return name;
  }

  long pid() {
    return process.pid();
  }

  /** Sets its clock, which runs from then on; it closes what is due. */
  void setClock(Instant now) {
    orders.println(now);
  }

  Scheduler.Memory memory() throws IOException {
    orders.println(Scheduler.MEMORY);
    return Scheduler.JSON.readValue(answer(), Scheduler.Memory.class);
  }

  private String answer() throws IOException {
    String answer = answers.readLine();
    if (answer == null) {
      throw ended();
    }
    return answer;
  }

  /**
   * Requires it to run.
   *
   * @throws WrongResult if it has ended
   */
  void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw ended();
    }
  }

  private WrongResult ended() throws IOException {
    List<String> lines = Files.readAllLines(log);
    return new WrongResult(
        "%s has ended:%n%s"
            .formatted(
                name,
                String.join(
                    "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()))));
  }

  /** Ends it as {@code kill -9} does. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Lets it end. */
  @Override
  public void close() {
    orders.close();
    try {
      if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }
}

package palmares.bench.start;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.ProgressListener.Task;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import palmares.bench.start.StartBench.ColdStart.Times;
import palmares.rules.board.BoardId;
import tools.jackson.databind.json.JsonMapper;

/** Measures the start-up time of a server whose embedded servers have data. */
public final class StartBench {
  private static final BoardId BOARD = new BoardId("activity-daily");
  private static final String ACTION = "page-view";

  private final Command command;
  private final Path log;
  private final String key;
  private final ProgressListener progress;

  /** The command that starts a server on a port. */
  public interface Command {
    List<String> on(int port) throws IOException;
  }

  /**
   * @param command starts a server with the bundled boards
   * @param log receives the output of each start
   * @param key an API key of the server
   */
  public StartBench(Command command, Path log, String key, ProgressListener progress) {
    this.command = command;
    this.log = log;
    this.key = key;
    this.progress = progress;
  }

  /**
   * Measures the starts, after one that does not count.
   *
   * @throws WrongResult if the server does not become ready
   */
  public Figures measure(int runs) throws IOException, InterruptedException {
    var times = new ArrayList<Times>();
    try (Task task = progress.begin("start", runs + 1L)) {
      for (int run = 0; run <= runs; run++) {
        Times start = start("start-" + run);
        if (run > 0) {
          times.add(start);
        }
        task.at(run + 1);
      }
    }
    return new Figures()
        .addWithAim(
            "start_seconds",
            "from start to ready, in seconds",
            median(times, Times::ready),
            Aim.atMost(3.5))
        .add("start_event_seconds", "  to the first event taken", median(times, Times::taken), "s")
        .add("start_cpu_seconds", "  of all cores", median(times, Times::cpu), "s");
  }

  private Times start(String event) throws IOException, InterruptedException {
    int port = freePort();
    return new ColdStart(command.on(port), log)
        .run(new ServerProbe(port, key, BOARD, ACTION), event);
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
    }
  }

  private static double median(List<Times> times, ToDoubleFunction<Times> value) {
    return Timing.median(times.stream().map(value::applyAsDouble).toList());
  }

  /** A start of a server, which is stopped when it is ready. */
  static final class ColdStart {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration PROBE_INTERVAL = Duration.ofMillis(25);
    private static final int LOG_LINES = 20;

    private final List<String> command;
    private final Path log;

    /**
     * @param log receives the process's output
     */
    ColdStart(List<String> command, Path log) {
      this.command = command;
      this.log = log;
    }

    /**
     * Seconds since the start of the process.
     *
     * @param taken until an event was accepted
     * @param ready until the board was shown too
     * @param cpu processor time until then; 0 if it is unknown
     */
    record Times(double taken, double ready, double cpu) {}

    /**
     * Starts the server, probes it until it is ready, and stops it.
     *
     * @param event id of the event to send; different for each start
     * @throws WrongResult if the process ends or does not become ready
     */
    Times run(ServerProbe probe, String event) throws IOException, InterruptedException {
      long start = System.nanoTime();
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      process.getOutputStream().close();
      try {
        double taken = await(process, start, () -> probe.accepts(event));
        double ready = await(process, start, probe::answers);
        return new Times(taken, ready, cpu(process));
      } finally {
        stop(process);
      }
    }

    private interface Probe {
      boolean succeeds() throws InterruptedException;
    }

    private double await(Process process, long start, Probe send)
        throws IOException, InterruptedException {
      while (!send.succeeds()) {
        if (!process.isAlive()) {
          throw new WrongResult("the server ended before it was ready:\n" + tail());
        }
        if (System.nanoTime() - start > TIMEOUT.toNanos()) {
          throw new WrongResult(
              "the server was not ready after %d s:%n%s".formatted(TIMEOUT.toSeconds(), tail()));
        }
        LockSupport.parkNanos(PROBE_INTERVAL.toNanos());
      }
      return (System.nanoTime() - start) / 1e9;
    }

    /** Of the process and the Java processes that it has started; not of the embedded servers. */
    private static double cpu(Process process) {
      return Stream.concat(
              Stream.of(process.info()),
              process
                  .descendants()
                  .map(ProcessHandle::info)
                  .filter(each -> each.command().orElse("").endsWith("java")))
          .flatMap(each -> each.totalCpuDuration().stream())
          .mapToDouble(ColdStart::seconds)
          .sum();
    }

    private static double seconds(Duration duration) {
      return duration.toNanos() / 1e9;
    }

    private String tail() throws IOException {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    }

    /** Stops the process as an operator does, so that its servers stop too. */
    private static void stop(Process process) throws InterruptedException {
      process.destroy();
      if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  /**
   * Sends HTTP requests to a server that may not be ready.
   *
   * @param port the server's port on this machine
   * @param key API key for events
   * @param board the board that is shown, and that has the action
   */
  record ServerProbe(int port, String key, BoardId board, String action) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;

    /** Whether the server shows the board. */
    boolean answers() throws InterruptedException {
      return send(request("/boards/%s/periods/current/top".formatted(board)).GET().build());
    }

    /**
     * Whether the server applies an event.
     *
     * @throws WrongResult if it accepts the event without applying it
     */
    boolean accepts(String event) throws InterruptedException {
      String body =
          JsonMapper.shared()
              .writeValueAsString(
                  Map.of("id", event, "member", "first", "action", action, "board", board.value()));
      return send(
          request("/events")
              .header("Authorization", "Bearer " + key)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(body))
              .build());
    }

    private HttpRequest.Builder request(String path) {
      return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/v1" + path))
          .timeout(TIMEOUT);
    }

    /**
     * Sends a request.
     *
     * @return false if the server does not answer, or answers 5xx
     * @throws WrongResult if the answer is another error
     */
    private static boolean send(HttpRequest request) throws InterruptedException {
      try {
        HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
        if (answer.statusCode() == OK && !refused(answer.body())) {
          return true;
        }
        if (answer.statusCode() < 500) {
          throw new WrongResult(
              "%s is answered with %d: %s"
                  .formatted(request.uri(), answer.statusCode(), answer.body()));
        }
        return false;
      } catch (IOException notThere) {
        return false;
      }
    }

    private static boolean refused(String body) {
      var outcome = JsonMapper.shared().readTree(body).get("outcome");
      return outcome != null && !"applied".equals(outcome.asString());
    }
  }
}

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
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.ProgressListener.Task;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import palmares.bench.start.StartBench.ColdStart.Times;
import palmares.rules.board.BoardId;
import tools.jackson.databind.json.JsonMapper;

/** Starts the program again and again on servers whose data is there already. */
public final class StartBench {
  private static final BoardId BOARD = new BoardId("activity-daily");
  private static final String ACTION = "page-view";

  private final Command command;
  private final Path log;
  private final String key;
  private final ProgressListener progress;

  /** What starts a server that listens on a port. */
  public interface Command {
    List<String> on(int port) throws IOException;
  }

  /**
   * @param command starts a server with the boards that come with the program
   * @param log where each start writes what it says
   * @param key an API key that the server knows
   */
  public StartBench(Command command, Path log, String key, ProgressListener progress) {
    this.command = command;
    this.log = log;
    this.key = key;
    this.progress = progress;
  }

  /**
   * Starts it so often, after once that does not count.
   *
   * @throws WrongResult if it does not become ready
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
        .hold(
            "start_seconds",
            "from start to ready, in seconds",
            median(times, Times::ready),
            Aim.atMost(6))
        .tell("start_event_seconds", "  to the first event taken", median(times, Times::taken), "s")
        .tell("start_cpu_seconds", "  of all cores", median(times, Times::cpu), "s");
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

  /** One start of the program in a process of its own, which is stopped as soon as it is ready. */
  static final class ColdStart {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(25);
    private static final int TAIL = 20;

    private final List<String> command;
    private final Path log;

    /**
     * @param log where it writes what it says
     */
    ColdStart(List<String> command, Path log) {
      this.command = command;
      this.log = log;
    }

    /**
     * From the start of the process.
     *
     * @param taken seconds until it had taken an event
     * @param ready seconds until it told who stands on the board too
     * @param cpu seconds of all cores until then; 0 where the system does not tell
     */
    record Times(double taken, double ready, double cpu) {}

    /**
     * Starts it, knocks until it is ready, and stops it.
     *
     * @param event the id of the event that it takes: another one each time
     * @throws WrongResult if it ends, or does not become ready
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
        double cpu = process.info().totalCpuDuration().map(ColdStart::seconds).orElse(0.0);
        return new Times(taken, ready, cpu);
      } finally {
        stop(process);
      }
    }

    private interface Probe {
      boolean succeeds() throws InterruptedException;
    }

    private double await(Process process, long start, Probe knock)
        throws IOException, InterruptedException {
      while (!knock.succeeds()) {
        if (!process.isAlive()) {
          throw new WrongResult("it ended before it was ready:\n" + tail());
        }
        if (System.nanoTime() - start > PATIENCE.toNanos()) {
          throw new WrongResult(
              "it was not ready after %d s:%n%s".formatted(PATIENCE.toSeconds(), tail()));
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      return (System.nanoTime() - start) / 1e9;
    }

    private static double seconds(Duration duration) {
      return duration.toNanos() / 1e9;
    }

    private String tail() throws IOException {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    }

    /** As an operator does, so that its servers stop with it. */
    private static void stop(Process process) throws InterruptedException {
      process.destroy();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  /**
   * Knocks at a server that may not be there yet, as anybody would: over HTTP.
   *
   * @param port where it will listen on this machine
   * @param key that it lets events in with
   * @param board that is asked about, and takes events of the action
   */
  record ServerProbe(int port, String key, BoardId board, String action) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int OK = 200;

    /** Whether it tells who stands on the board. */
    boolean answers() throws InterruptedException {
      return knock(request("/boards/%s/periods/current/top".formatted(board)).GET().build());
    }

    /**
     * Whether it takes an event, and counts it.
     *
     * @throws WrongResult if it takes it, but does not count it
     */
    boolean accepts(String event) throws InterruptedException {
      String body =
          JsonMapper.shared()
              .writeValueAsString(
                  Map.of("id", event, "member", "first", "action", action, "board", board.value()));
      return knock(
          request("/events")
              .header("Authorization", "Bearer " + key)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(body))
              .build());
    }

    private HttpRequest.Builder request(String path) {
      return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/v1" + path))
          .timeout(PATIENCE);
    }

    /** Nobody may be there, or may not be ready; but who answers must answer well. */
    private static boolean knock(HttpRequest request) throws InterruptedException {
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

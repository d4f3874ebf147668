package palmares.bench.start;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.Measured;
import palmares.bench.Watcher;
import palmares.bench.Watcher.Task;
import palmares.bench.WrongResult;
import palmares.bench.start.ColdStart.Times;
import palmares.rules.board.BoardId;

/** Starts the program again and again on servers whose data is there already. */
public final class StartBench {
  private static final BoardId BOARD = new BoardId("activity-daily");
  private static final String ACTION = "page-view";

  private final Command command;
  private final Path log;
  private final String key;
  private final Watcher watcher;

  /** What starts a server that listens on a port. */
  public interface Command {
    List<String> on(int port) throws IOException;
  }

  /**
   * @param command starts a server with the boards that come with the program
   * @param log where each start writes what it says
   * @param key an API key that the server knows
   */
  public StartBench(Command command, Path log, String key, Watcher watcher) {
    this.command = command;
    this.log = log;
    this.key = key;
    this.watcher = watcher;
  }

  /**
   * Starts it so often, after once that does not count.
   *
   * @throws WrongResult if it does not become ready
   */
  public Figures measure(int runs) throws IOException, InterruptedException {
    var times = new ArrayList<Times>();
    try (Task task = watcher.begin("start", runs + 1L)) {
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
    return new ColdStart(command.on(port), log).run(new Door(port, key, BOARD, ACTION), event);
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
    }
  }

  private static double median(List<Times> times, ToDoubleFunction<Times> value) {
    return Measured.median(times.stream().map(value::applyAsDouble).toList());
  }
}

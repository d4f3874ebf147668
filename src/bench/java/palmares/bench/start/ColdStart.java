package palmares.bench.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import palmares.bench.WrongResult;

/** One start of the program in a process of its own, which is stopped as soon as it is ready. */
final class ColdStart {
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
  Times run(Door door, String event) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    process.getOutputStream().close();
    try {
      double taken = await(process, start, () -> door.accepts(event));
      double ready = await(process, start, door::answers);
      double cpu = process.info().totalCpuDuration().map(ColdStart::seconds).orElse(0.0);
      return new Times(taken, ready, cpu);
    } finally {
      stop(process);
    }
  }

  private interface Knock {
    boolean isAnswered() throws InterruptedException;
  }

  private double await(Process process, long start, Knock knock)
      throws IOException, InterruptedException {
    while (!knock.isAnswered()) {
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

package palmares.crash;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@link MortalServer} as the campaign sees it: started, asked, killed, and started again. */
final class Victim implements AutoCloseable {
  private static final int START_SECONDS = 180;
  private static final int SIGKILL = 137;

  /** How the JVM ends if its heap is full. */
  private static final int OUT_OF_MEMORY = 3;

  private static final String USUAL_HEAP = "512m";

  private final Path log;
  private final List<String> arguments;
  private final Map<String, String> settings;
  private final ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private @Nullable Process process;
  private @Nullable Socket line;
  private @Nullable BufferedReader in;
  private @Nullable PrintWriter out;
  private int port;
  private String heap = USUAL_HEAP;
  private int exhaustions;

  /**
   * @param settings variables of its environment
   * @param arguments those of the command {@code server}
   */
  Victim(Path log, Map<String, String> settings, List<String> arguments) throws IOException {
    this.log = log;
    this.settings = settings;
    this.arguments = arguments;
    door.setSoTimeout(100);
  }

  /**
   * Starts it, and waits until it serves or has killed itself.
   *
   * @param arm the point to die at, as in the line {@code arm}; empty for none
   * @return whether it serves
   */
  boolean start(Instant now, String arm) throws IOException {
    List<String> options =
        ClassArchive.options(
            first -> {
              if (awaitServing(launch(first, now, ""))) {
                stop();
              }
            });
    return awaitServing(launch(options, now, arm));
  }

  private Process launch(List<String> options, Instant now, String arm) throws IOException {
    hangUp();
    Process started = builder(options, now, arm).start();
    process = started;
    return started;
  }

  private boolean awaitServing(Process started) throws IOException {
    long deadline = System.nanoTime() + START_SECONDS * 1_000_000_000L;
    while (line == null) {
      try {
        line = door.accept();
      } catch (SocketTimeoutException e) {
        if (!started.isAlive()) {
          requireKilled(started);
          return false;
        }
        if (System.nanoTime() > deadline) {
          throw new AssertionError("the server does not start: " + tail());
        }
      }
    }
    line.setSoTimeout(START_SECONDS * 1_000);
    in = new BufferedReader(new InputStreamReader(line.getInputStream(), StandardCharsets.UTF_8));
    out = new PrintWriter(line.getOutputStream(), true, StandardCharsets.UTF_8);
    String answer = in.readLine();
    if (answer == null) {
      started.onExit().join();
      requireKilled(started);
      return false;
    }
    port = Integer.parseInt(answer);
    return true;
  }

  private ProcessBuilder builder(List<String> options, Instant now, String arm) {
    var command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + File.separator + "bin/java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx" + heap,
                "-XX:+ExitOnOutOfMemoryError",
                "--add-opens",
                "java.base/jdk.internal.misc=ALL-UNNAMED"));
    command.addAll(options);
    command.add(MortalServer.class.getName());
    command.addAll(arguments);
    var builder = new ProcessBuilder(command);
    builder.environment().putAll(settings);
    builder.environment().put(MortalServer.PORT, "" + door.getLocalPort());
    builder.environment().put(MortalServer.NOW, now.toString());
    builder.environment().put(MortalServer.ARM, arm);
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
  }

  /** Limits the heap of the next start; what a full one ends is started with the usual one. */
  void limitHeap(String limit) {
    heap = limit;
  }

  /** How often it ended because its heap was full. */
  int exhaustions() {
    return exhaustions;
  }

  /** Ends of another kind are failures. */
  private void requireKilled(Process ended) throws IOException {
    boolean isFull = ended.exitValue() == OUT_OF_MEMORY && !heap.equals(USUAL_HEAP);
    if (isFull) {
      heap = USUAL_HEAP;
      exhaustions++;
    }
    if (ended.exitValue() != SIGKILL && !isFull) {
      throw new AssertionError("the server ended with %d: %s".formatted(ended.exitValue(), tail()));
    }
  }

  String tail() throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
  }

  int port() {
    return port;
  }

  /** Whether it was started and killed since; fails if it has ended otherwise. */
  boolean isDead() throws IOException {
    Process asked = process;
    if (asked == null || asked.isAlive()) {
      return false;
    }
    requireKilled(asked);
    return true;
  }

  /** Whether it hangs, as a process does whose machine sleeps. */
  boolean isStopped() throws IOException {
    Process asked = process;
    if (asked == null || !asked.isAlive()) {
      return false;
    }
    try {
      String state = Files.readString(Path.of("/proc", "" + asked.pid(), "stat"));
      return state.startsWith(" T ", state.lastIndexOf(')') + 1);
    } catch (NoSuchFileException e) {
      return false; // It has ended meanwhile.
    }
  }

  /** Lets it go on. */
  void resume() throws IOException {
    signal("-CONT");
  }

  /** Stops it until it is resumed. */
  void pause() throws IOException {
    signal("-STOP");
  }

  private void signal(String signal) throws IOException {
    String pid = Long.toString(Objects.requireNonNull(process).pid());
    new ProcessBuilder("kill", signal, pid).inheritIO().start().onExit().join();
  }

  /**
   * Sends a line, and returns the answer.
   *
   * @throws IOException if it has died
   */
  synchronized String ask(String text) throws IOException {
    PrintWriter to = Objects.requireNonNull(out);
    to.println(text);
    String answer = Objects.requireNonNull(in).readLine();
    if (answer == null) {
      throw new IOException("the server has died");
    }
    return answer;
  }

  boolean wasStarted() {
    return process != null;
  }

  /** Kills it at this moment. */
  void kill() {
    Process alive = process;
    if (alive != null) {
      alive.destroyForcibly().onExit().join();
    }
  }

  /** Ends it as an operator does, and waits until it has ended. */
  void stop() {
    Process alive = Objects.requireNonNull(process);
    alive.destroy();
    alive.onExit().join();
  }

  /** Kills it, and takes its next start for the first one. */
  void forget() {
    kill();
    process = null;
  }

  private void hangUp() throws IOException {
    if (line != null) {
      line.close();
      line = null;
    }
  }

  @Override
  public void close() throws IOException {
    kill();
    hangUp();
    door.close();
  }
}

package palmares.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A server of the product as a process, with embedded PostgreSQL and Redis, and a settable clock.
 */
public final class PalmaresServer implements AutoCloseable {
  private static final String CONTROL = "control ";
  private static final String GONE = "gone";
  private static final int PATIENCE_SECONDS = 120;
  private static final Path PRODUCT =
      Path.of(System.getProperty("palmares.product", "../..")).toAbsolutePath().normalize();

  private final Process process;
  private final BufferedWriter in;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final Path log;
  private final int port;
  private final String key;

  /**
   * Starts a server; skips the test if the product was not built, unless it must be.
   *
   * @param folder for its data
   * @param boards the text of each board's file by its id
   * @param settings of the product, as {@code name=value}
   */
  public static PalmaresServer start(
      Path folder, Instant clock, Map<String, String> boards, String... settings) {
    Path jar = PRODUCT.resolve("target").resolve("palmares.jar");
    if (!Files.exists(jar)) {
      String missing = jar + " is missing: build it with ./mvnw -DskipTests package";
      if (System.getProperty("tests.server", "").equals("required")) {
        throw new AssertionError(missing);
      }
      Assumptions.abort(missing);
    }
    try {
      Path jobs = Files.createDirectories(folder.resolve("jobs"));
      for (var board : boards.entrySet()) {
        Files.writeString(jobs.resolve(board.getKey() + ".yml"), board.getValue());
      }
      return new PalmaresServer(folder, classPath(jar), clock, settings);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Unpacks the jar and compiles the server with the clock, once for each build of the product. */
  private static String classPath(Path jar) throws IOException, InterruptedException {
    String build = Files.size(jar) + "-" + Files.getLastModifiedTime(jar).toMillis();
    Path unpacked = PRODUCT.resolve("target").resolve("clocked-server").resolve(build);
    Path classes = unpacked.resolve("classes");
    String path =
        unpacked.resolve("BOOT-INF/classes")
            + File.pathSeparator
            + unpacked.resolve("BOOT-INF/lib")
            + "/*";
    if (!Files.exists(classes)) {
      Files.createDirectories(unpacked);
      run(unpacked, java("jar"), "xf", jar.toString());
      Path made = Files.createDirectories(unpacked.resolve("classes.part"));
      String source = PRODUCT.resolve("src/client/test/product/ClockedServer.java").toString();
      run(unpacked, java("javac"), "-nowarn", "-proc:none", "-cp", path, "-d", "" + made, source);
      Files.move(made, classes);
    }
    return classes + File.pathSeparator + path;
  }

  private static void run(Path folder, String... command) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start().waitFor();
    require(status == 0, String.join(" ", command) + " has failed");
  }

  /** The path of a program of the JDK that runs the test. */
  public static String java(String program) {
    return Path.of(System.getProperty("java.home"), "bin", program).toString();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private PalmaresServer(Path folder, String classPath, Instant clock, String... settings)
      throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                java("java"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-Dclock=" + clock,
                "-cp",
                classPath,
                "ClockedServer",
                "server",
                "--port",
                "0",
                "--jobs",
                folder.resolve("jobs").toString(),
                "--data",
                folder.resolve("data").toString(),
                "-D",
                "management.server.port=-1"));
    for (String setting : settings) {
      command.addAll(List.of("-D", setting));
    }
    log = folder.resolve("server.log");
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    in = process.outputWriter(UTF_8);
    var reader = new Thread(this::read, "server-log");
    reader.setDaemon(true);
    reader.start();
    String[] ready = answer().split(" ");
    port = Integer.parseInt(ready[0]);
    key = ready[1];
  }

  private void read() {
    try (BufferedReader out = process.inputReader(UTF_8);
        BufferedWriter lines = Files.newBufferedWriter(log)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith(CONTROL)) {
          answers.add(line.substring(CONTROL.length()));
        } else {
          lines.append(line).append('\n').flush();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      answers.add(GONE);
    }
  }

  private String answer() throws InterruptedException, IOException {
    String answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    require(answer != null && !answer.equals(GONE), "the server failed: " + log());
    return answer;
  }

  public String log() throws IOException {
    return Files.readString(log);
  }

  public String url() {
    return "http://localhost:" + port;
  }

  /** The secret of a key with all roles but that of an approver. */
  public String key() {
    return key;
  }

  /** Sets the clock, which then goes on. */
  public void setClock(Instant time) {
    try {
      in.write(time + "\n");
      in.flush();
      answer();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Stops it in order, as its PostgreSQL and Redis would go on without it. */
  @Override
  public void close() {
    process.destroy();
    process
        .onExit()
        .completeOnTimeout(process, PATIENCE_SECONDS, TimeUnit.SECONDS)
        .thenAccept(Process::destroyForcibly)
        .join();
  }
}

package palmares.crash;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command of palmares in a separate process. */
final class Command {
  private static final long PATIENCE_SECONDS = 120;

  private final Process process;
  private final Path output;
  private final Path notes;

  private Command(Process process, Path output, Path notes) {
    this.process = process;
    this.output = output;
    this.notes = notes;
  }

  static Command start(Path folder, Map<String, String> settings, String... arguments)
      throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + File.separator + "bin/java",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "palmares.Palmares"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--data", folder.resolve("data").toString()));
    Path output = Files.createTempFile(folder, arguments[0], ".out");
    Path notes = Files.createTempFile(folder, arguments[0], ".err");
    var builder =
        new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(notes.toFile());
    builder.environment().putAll(settings);
    return new Command(builder.start(), output, notes);
  }

  /** Its results, once it has ended. */
  String result() throws IOException, InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("it goes on and on");
    }
    return "exit %d\n%s"
        .formatted(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
  }

  /** What it printed on standard error. */
  String notes() throws IOException {
    return Files.readString(notes, StandardCharsets.UTF_8);
  }

  /** Whether it has started the servers of the folder. */
  boolean owns(Path data) throws IOException {
    return Files.readAllLines(data.resolve("servers.properties")).contains("pid=" + process.pid());
  }

  boolean lives() {
    return process.isAlive();
  }

  /** How a process is ended from outside. */
  enum Signal {
    /** Nothing of it runs any more. */
    KILL,
    /** It may end its step, and must be gone soon. */
    TERM
  }

  /** Ends it; it may have ended before. */
  void end(Signal signal) {
    if (signal == Signal.KILL) {
      process.destroyForcibly().onExit().join();
    } else {
      process.destroy();
      process.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }
  }
}

package palmares.platform.embedded;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Another JVM that opens a folder, writes, and lives until its standard input ends or it is killed.
 */
final class OtherProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;

  private OtherProcess(Process process) {
    this.process = process;
    this.lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Returns when the process has the servers and has written the rows. */
  static OtherProcess opens(Path data, String purpose, int rows) throws IOException {
    OtherProcess other =
        new OtherProcess(
            new ProcessBuilder(
                    List.of(
                        System.getProperty("java.home") + File.separator + "bin/java",
                        "-XX:TieredStopAtLevel=1",
                        // Digits that servers and other processes cannot read.
                        "-Duser.language=ar",
                        "-Duser.country=EG",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        data.toString(),
                        purpose,
                        Integer.toString(rows)))
                .redirectErrorStream(true)
                .start());
    other.awaitLine("open");
    return other;
  }

  /** Runs in the other JVM. */
  public static void main(String[] args) throws IOException {
    Path data = Path.of(args[0]);
    String purpose = args[1];
    try (EmbeddedServers servers = EmbeddedServers.own(data, purpose)) {
      new Content(servers).write(Integer.parseInt(args[2]));
      System.out.println("open");
      System.in.read();
    }
    System.out.println("closed");
  }

  long pid() {
    return process.pid();
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  void finish() throws IOException {
    process.getOutputStream().close();
  }

  void awaitLine(String expected) throws IOException {
    StringBuilder output = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.contains(expected)) {
        return;
      }
      output.append(line).append('\n');
    }
    throw new IOException("the process ended without '" + expected + "':\n" + output);
  }

  @Override
  public void close() {
    kill();
  }
}

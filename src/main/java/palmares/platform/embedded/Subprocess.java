package palmares.platform.embedded;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The result of a command that ran to its end. */
record Subprocess(int exitCode, String output) {
  static Subprocess run(Path folder, Duration timeout, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(OwnerOnly.command(command))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    try {
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new IOException("%s did not end within %s".formatted(command, timeout));
      }
      return new Subprocess(
          process.exitValue(),
          new String(process.getInputStream().readAllBytes(), Charset.defaultCharset()));
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted in " + command);
    }
  }

  boolean succeeded() {
    return exitCode == 0;
  }
}

package palmares.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs that tests start and no jar brings. */
public final class Installed {
  private Installed() {}

  /** The program, if this machine has it. */
  public static Optional<Path> find(String program) {
    return Stream.of((System.getenv("PATH") + ":/usr/sbin").split(File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * The program. Without it the test is skipped, and fails in CI.
   *
   * @param debianPackage that has it
   */
  public static Path require(String program, String debianPackage) {
    Optional<Path> found = find(program);
    String remedy = "no %s: install Debian's package %s".formatted(program, debianPackage);
    if (found.isEmpty() && System.getenv("CI") != null) {
      throw new AssertionError(remedy);
    }
    assumeTrue(found.isPresent(), remedy);
    return found.orElseThrow();
  }
}

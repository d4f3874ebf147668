package palmares.bench.cli;

import palmares.Palmares;
import palmares.cli.Called;
import palmares.cli.launch.SpringLauncher;

/** Calls of the benchmark's command line in this process. */
final class BenchCall {
  private BenchCall() {}

  /** Calls a command that must not start the application. */
  static Called alone(String... arguments) {
    return Called.of(terminal -> BenchCommand.run(terminal, Called.NOTHING, arguments), "");
  }

  /** Calls a command that may start the application. */
  static Called starting(String... arguments) {
    return Called.of(
        terminal -> BenchCommand.run(terminal, new SpringLauncher(Palmares.class), arguments), "");
  }
}

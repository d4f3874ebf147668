package palmares.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import palmares.api.ops.Listing;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Mixin;

/** A command that prints what one read of the operations API returns. */
abstract class Reading implements Callable<Integer> {
  private final Session session;
  private final LaunchOptions launch;

  @Mixin private Output output = new Output();

  Reading(Session session, LaunchOptions launch) {
    this.session = session;
    this.launch = launch;
  }

  /**
   * Checks the options before anything starts.
   *
   * @throws UserError if they are wrong
   */
  void check() {}

  /** Reads from the resources of the operations API. */
  abstract Listing read(RunningApplication app) throws IOException;

  @Override
  public Integer call() throws IOException {
    check();
    return print(session, launch, output, this::read);
  }

  /** Calls one read of the operations API. */
  @FunctionalInterface
  interface Read {
    Listing from(RunningApplication app) throws IOException;
  }

  /**
   * Connects, calls one read, and prints what it returns.
   *
   * @return the exit code
   */
  static int print(Session session, LaunchOptions launch, Output output, Read read)
      throws IOException {
    output.check(session);
    try (RunningApplication app = session.connect(launch, output.type())) {
      return output.print(session, read.from(app));
    }
  }
}

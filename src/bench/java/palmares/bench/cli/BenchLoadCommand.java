package palmares.bench.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import palmares.bench.write.LoadGenerator;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Terminal;
import picocli.CommandLine.Command;

/** Sends events in a separate process; {@code write} starts it. */
@Command(name = BenchLoadCommand.NAME, hidden = true, description = "Sends events for 'write'.")
final class BenchLoadCommand implements Callable<Integer> {
  static final String NAME = "load";

  private final Session session;

  BenchLoadCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    Terminal terminal = session.terminal();
    LoadGenerator.run(terminal.in(), terminal.out());
    return 0;
  }
}

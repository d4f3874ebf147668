package palmares.cli.bench;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import palmares.bench.Figures;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures closings. */
@Command(name = "close", description = "Closes a big board by the real job.", sortOptions = false)
final class BenchCloseCommand implements Callable<Integer> {
  private final Session session;

  @Option(
      names = "--members",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "How many stand on the board (default: 1000000).")
  private long members;

  @Mixin private Measuring measuring = new Measuring();

  BenchCloseCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    measuring.tell(session.terminal(), Map.of("members", members), new Figures());
    return 0;
  }
}

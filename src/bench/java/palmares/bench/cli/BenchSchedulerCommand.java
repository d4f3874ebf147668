package palmares.bench.cli;

import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import palmares.bench.nodes.Applications.Application;
import palmares.bench.nodes.Scheduler;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Terminal;
import palmares.platform.time.SettableClock;
import picocli.CommandLine.Command;

/** Closes periods in a separate process; {@code nodes} starts it. */
@Command(
    name = BenchSchedulerCommand.NAME,
    hidden = true,
    description = "Closes what is due for 'nodes'.")
final class BenchSchedulerCommand implements Callable<Integer> {
  static final String NAME = "scheduler";

  private final Session session;

  BenchSchedulerCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    Terminal terminal = session.terminal();
    Scheduler.run(this::start, terminal.in(), terminal.out());
    return 0;
  }

  /** Nothing but closings runs in it: journals and other periods are those of the benchmark. */
  private Application start(Map<String, String> properties, SettableClock clock) {
    LaunchOptions launch =
        LaunchOptions.of("scheduler")
            .with(Part.SCHEDULER)
            .with(Clock.class, clock)
            .with("spring.quartz.startup-delay", "1h")
            .with("palmares.journal.drain", "false")
            .with("palmares.relay.background", "false")
            .with("palmares.outbox.background", "false")
            .with("palmares.signals.background", "false");
    return BenchNodesCommand.start(session, launch, properties);
  }
}

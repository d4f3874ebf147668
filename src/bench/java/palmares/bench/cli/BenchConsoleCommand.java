package palmares.bench.cli;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.core.env.Environment;
import palmares.bench.Figures;
import palmares.bench.console.ConsoleBench;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.cli.launch.Session;
import palmares.platform.time.SettableClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures pages of the console. */
@Command(
    name = "console",
    description = {
      "Settles a period that pays in three currencies, and asks for its pages in the console: the"
          + " first one with its charts, those around members, and those from ranks. The rival is"
          + " the API's answer with as many lines. Then it downloads all lines as CSV and as XLSX;"
          + " with a million members, -Xmx256m is enough for all of it.",
      "",
      "Each page is checked for the member that was searched."
    },
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {"  palmares-bench console --members 1000000 --json console.json"})
final class BenchConsoleCommand implements Callable<Integer> {
  private static final int MAX_REQUESTS = 100_000;

  private final Session session;

  @Option(
      names = "--members",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Members of the period (default: 1000000).")
  private long members;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "100",
      description = "Number of requests for each kind of page (default: 100).")
  private int requests;

  @Mixin private MeasuringOptions measuring = new MeasuringOptions();

  BenchConsoleCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Exception {
    measuring.requireSizes(List.of(members));
    measuring.requireWithin("--requests", requests, MAX_REQUESTS);
    var clock = new SettableClock(Instant.EPOCH);
    var progress = new TerminalProgress(session.terminal(), "done");
    Figures figures =
        BenchServers.measure(
            session,
            LaunchOptions.closing("bench").with(Part.WEB).with("server.port", "0"),
            clock,
            ConsoleBench.files(),
            app -> {
              String port = app.get(Environment.class).getProperty("local.server.port");
              URI server = URI.create("http://localhost:" + port);
              return new ConsoleBench(app::get, clock, progress, server)
                  .measure(new ConsoleBench.Plan(members, requests, measuring.seed()));
            });
    measuring.print(session.terminal(), Map.of("members", members, "requests", requests), figures);
    return 0;
  }
}

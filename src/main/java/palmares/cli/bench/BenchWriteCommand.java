package palmares.cli.bench;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.springframework.core.env.Environment;
import palmares.api.keys.ApiKeys;
import palmares.bench.write.Plan;
import palmares.bench.write.Server;
import palmares.bench.write.WriteBench;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.platform.time.SettableClock;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.BoardFile;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures writing. */
@Command(
    name = "write",
    description = "Writes events over HTTP, one by one and in batches.",
    sortOptions = false)
final class BenchWriteCommand implements Callable<Integer> {
  private static final Instant BEGIN = Instant.parse("2026-01-01T12:00:00Z");
  private static final int MOST_CLIENTS = 1_000;
  private static final int MOST_BATCH = 10_000;
  private static final int MOST_EVENTS = 10_000_000;
  private static final BoardFile BOARD =
      new BoardFile(
          "bench.yml",
          """
          title: What is written while it is measured
          period: day
          zone: UTC
          actions:
            coin: { points: 1, max-quantity: 100 }
          max-points: 1000000
          """);

  private final Session session;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "32",
      description = "How many write at a time (default: 32).")
  private int clients;

  @Option(
      names = "--events",
      paramLabel = "N",
      defaultValue = "100000",
      description = "How many each way writes in a run; the locks a quarter (default: 100000).")
  private int events;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many events a batch brings (default: 1000).")
  private int batch;

  @Mixin private Measuring measuring = new Measuring();

  @Spec private CommandSpec spec = CommandSpec.create();

  BenchWriteCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Exception {
    Plan plan = plan();
    var clock = new SettableClock(BEGIN);
    LaunchOptions launch = LaunchOptions.of("bench").with(Part.WEB).with("server.port", "0");
    try (RunningApplication app = BenchServers.start(session, launch, clock, List.of(BOARD))) {
      var bench =
          new WriteBench(
              app::get,
              clock,
              app.get(Catalogue.class).find(new BoardId("bench")).orElseThrow(),
              plan);
      var figures =
          bench
              .measure(
                  OwnProgram.command(
                      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m"),
                      "bench",
                      BenchLoadCommand.NAME),
                  server(app),
                  way -> session.terminal().note(way))
              .figures();
      measuring.tell(
          session.terminal(),
          Map.of("clients", clients, "events", events, "batch", batch),
          figures);
    }
    return 0;
  }

  private Plan plan() {
    measuring.requireWithin("--clients", clients, MOST_CLIENTS);
    measuring.requireWithin("--batch", batch, MOST_BATCH);
    measuring.requireWithin("--events", events, MOST_EVENTS);
    if (events % batch != 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--events is a multiple of --batch, which is %d, not %d".formatted(batch, events));
    }
    return new Plan(clients, events, batch, measuring.runs(), measuring.seed());
  }

  private static Server server(RunningApplication app) {
    return new Server(
        "localhost",
        Integer.parseInt(app.get(Environment.class).getRequiredProperty("local.server.port")),
        app.get(ApiKeys.class).create("bench", Set.of()));
  }
}

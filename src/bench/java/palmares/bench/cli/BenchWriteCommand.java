package palmares.bench.cli;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.springframework.core.env.Environment;
import org.springframework.security.config.annotation.web.configuration.WebSecurityCustomizer;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.bench.Figures;
import palmares.bench.Resource;
import palmares.bench.write.WriteBench;
import palmares.bench.write.WriteBench.Plan;
import palmares.bench.write.WriteBench.Server;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures writing. */
@Command(
    name = "write",
    description = "Writes events over HTTP, one by one and in batches.",
    sortOptions = false)
final class BenchWriteCommand implements Callable<Integer> {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final int MAX_CLIENTS = 1_000;
  private static final int MAX_BATCH = 10_000;
  private static final int MAX_EVENTS = 10_000_000;
  private static final BoardId BOARD = new BoardId("bench");
  private static final BoardId COMMITTED = new BoardId("bench-committed");
  private static final List<String> LOAD_JVM_OPTIONS =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m");

  private final Session session;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "32",
      description = "Number of concurrent clients (default: 32).")
  private int clients;

  @Option(
      names = "--events",
      paramLabel = "N",
      defaultValue = "40000",
      description =
          "Events that each way writes in a run; the ways with locks write a quarter (default:"
              + " 40000).")
  private int events;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Events of a batch (default: 1000).")
  private int batch;

  @Mixin private MeasuringOptions measuring = new MeasuringOptions();

  BenchWriteCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Exception {
    Plan plan = plan();
    var clock = new SettableClock(START);
    List<String> load = OwnProgram.bench(LOAD_JVM_OPTIONS, BenchLoadCommand.NAME);
    Figures figures =
        BenchServers.measure(
            session,
            LaunchOptions.of("bench")
                .with(Part.WEB)
                .with("server.port", "0")
                .with("palmares.limits.requests-per-address", "10000000")
                .with(WebSecurityCustomizer.class, WriteBench.open()),
            clock,
            List.of(Resource.board("bench.yml"), Resource.board("bench-committed.yml")),
            app -> {
              Catalogue boards = app.get(Catalogue.class);
              Board board = boards.find(BOARD).orElseThrow();
              Board committed = boards.find(COMMITTED).orElseThrow();
              return new WriteBench(app::get, clock, board, committed, plan)
                  .measure(load, server(app), session.terminal()::note)
                  .figures();
            });
    measuring.print(
        session.terminal(), Map.of("clients", clients, "events", events, "batch", batch), figures);
    return 0;
  }

  private Plan plan() {
    measuring.requireWithin("--clients", clients, MAX_CLIENTS);
    measuring.requireWithin("--batch", batch, MAX_BATCH);
    measuring.requireWithin("--events", events, MAX_EVENTS);
    if (events % batch != 0) {
      throw measuring.refused(
          "--events is a multiple of --batch, which is %d, not %d".formatted(batch, events));
    }
    return new Plan(clients, events, batch, measuring.runs(), measuring.seed());
  }

  private static Server server(RunningApplication app) {
    return new Server(
        "localhost",
        Integer.parseInt(app.get(Environment.class).getRequiredProperty("local.server.port")),
        app.get(ApiKeys.class)
            .create(
                new NewKey("bench", Set.of(Role.WRITER), Set.of(), null), "bench", "benchmark"));
  }
}

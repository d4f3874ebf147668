package palmares.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import palmares.api.keys.ApiKeys;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.UserError;
import palmares.demo.Demo;
import palmares.operations.report.PalmaresReport;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.operations.report.PeriodNotes;
import palmares.period.BoardDefinitions;
import palmares.period.Periods;
import palmares.platform.time.SettableClock;
import palmares.rules.board.BoardId;
import palmares.settlement.closing.Sweep;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The first run: a month in half a minute. */
@Command(
    name = "demo",
    description = {
      "Plays a month of invitations and activity through the real API with a moved clock, closes"
          + " every period that ends in it, prints the palmares, verifies it, and stays up.",
      "Begins afresh each time, in a folder of its own (default: ./data/demo); needs no servers."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it was stopped, or --once was given and all verified",
      "1:it did not start, or something did not verify"
    },
    footerHeading = "%nExample:%n",
    footer = "  palmares demo --port 8080")
final class DemoCommand implements Callable<Integer> {
  private static final Path FOLDER = Path.of("data", "demo");
  private static final int USUAL_PORT = 8080;
  private static final BoardId INVITES = new BoardId("invites");
  private static final BoardId MONTH = new BoardId("activity-monthly");
  private static final int SHOWN = 10;

  private final Session session;

  @Option(
      names = "--port",
      description = "Where the HTTP API listens (default: 8080, or a free one if that is taken).")
  private @Nullable Integer port;

  @Option(names = "--once", description = "Ends after the month instead of staying up.")
  private boolean once;

  DemoCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = session.scratch("demo", FOLDER);
    var clock = new SettableClock(Demo.begin());
    try (RunningApplication app = session.start(launch(folder, clock), session.boards())) {
      String key = app.get(ApiKeys.class).create("demo", Set.of());
      play(app, clock, key);
      show(app);
      Findings findings = app.get(Verification.class).verifySettled(null, null);
      findings.named().forEach(difference -> session.terminal().print(difference.sentence()));
      session.terminal().print(findings.summary());
      if (!once && findings.clean()) {
        clock.run();
        stayUp(app, folder, key);
      }
      return findings.clean() ? 0 : UserError.FAILED;
    }
  }

  private LaunchOptions launch(Path folder, SettableClock clock) {
    return LaunchOptions.of("server")
        .with(Part.WEB)
        .with(Part.SCHEDULER)
        .with(Clock.class, clock)
        .with("palmares.infra", "embedded")
        .with("palmares.data", folder.toString())
        .with("server.port", Integer.toString(port == null ? freePort() : port));
  }

  private static int freePort() {
    try (var usual = new ServerSocket(USUAL_PORT)) {
      return usual.getLocalPort();
    } catch (IOException taken) {
      return 0;
    }
  }

  private static URI server(RunningApplication app) {
    return URI.create(
        "http://localhost:" + app.get(Environment.class).getProperty("local.server.port"));
  }

  private void play(RunningApplication app, SettableClock clock, String key) {
    Terminal terminal = session.terminal();
    terminal.note("Playing October 2026 of a small community, through the API at " + server(app));
    var demo = new Demo(clock, app.get(Sweep.class), server(app), key);
    int days = Demo.MONTH.lengthOfMonth();
    try (Progress progress = Progress.of(terminal, "month", new Progress.Unit(" days", 1), days)) {
      demo.play(day -> progress.at(day.getDayOfMonth(), "%,d events".formatted(demo.taken())));
    }
    terminal.note("%,d events counted.".formatted(demo.taken()));
  }

  private void show(RunningApplication app) throws IOException {
    var table =
        new TableReport(
            app.get(PalmaresReport.class),
            app.get(PeriodNotes.class),
            app.get(Periods.class),
            app.get(BoardDefinitions.class));
    var text = new StringWriter();
    for (BoardId board : List.of(MONTH, INVITES)) {
      List<PeriodSummary> settled = app.get(PeriodHistory.class).settled(board);
      text.write("\n");
      table.write(settled.subList(settled.size() - 1, settled.size()), SHOWN, text);
    }
    new PrintWriter(session.terminal().out(), true).println(text);
  }

  private void stayUp(RunningApplication app, Path folder, String key) throws InterruptedException {
    URI server = server(app);
    String jar = "java -jar target/palmares.jar";
    session
        .terminal()
        .note(
            """

            It stays up, and its clock goes on from November 1st. Try, in another terminal:

              curl %1$s/api/v1/boards/invites/periods/current/top
              curl %1$s/api/v1/events -H 'Authorization: Bearer %2$s' \\
                -H 'Content-Type: application/json' \\
                -d '{"id":"try-1","member":"you","action":"invite","subject":"a-friend"}'
              %3$s report invites 2026-W43 --data %4$s
              %3$s runs --data %4$s
              %3$s verify --data %4$s

            The key is shown this once: %2$s
            Ctrl-C stops it.\
            """
                .formatted(server, key, jar, folder));
    new CountDownLatch(1).await();
  }
}

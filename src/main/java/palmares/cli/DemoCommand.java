package palmares.cli;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.security.crypto.keygen.KeyGenerators;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.identity.People;
import palmares.api.ops.PeriodReport;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.UserError;
import palmares.demo.BadNight;
import palmares.demo.BadNight.Cheater;
import palmares.demo.Demo;
import palmares.operations.amendment.Amendments;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.period.DuePeriods;
import palmares.period.Periods;
import palmares.period.exclusion.Exclusions;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.redis.RedisClient;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.Sweep;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.outbox.Deliveries;
import palmares.settlement.schedule.NightlyVerification;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the demo: a month of a small community in about a minute. */
@Command(
    name = "demo",
    description = {
      "Plays a month of invitations, activity and games through the HTTP API with a clock that it"
          + " moves, closes every period that ends in it, prints the palmares, verifies it, and"
          + " keeps running. It ends with a bad night, and prints what a person may do about it.",
      "Starts without data each time, in a folder for the demo alone (default: ./data/demo); needs"
          + " no servers."
    },
    exitCodeList = {
      "0:it was stopped, or --once was given and all verified",
      "1:it did not start, or something did not verify"
    },
    footer = "  palmares demo --port 8080")
final class DemoCommand implements Callable<Integer> {
  private static final Path DEFAULT_FOLDER = Path.of("data", "demo");
  private static final int DEFAULT_PORT = 8080;
  private static final String OPERATOR = "ann";
  private static final String APPROVER = "bob";
  private static final BoardId INVITES = new BoardId("invites");
  private static final BoardId MONTH = new BoardId("activity-monthly");
  private static final int SHOWN_PLACES = 10;
  private static final NewKey KEY =
      new NewKey("demo", Set.of(Role.WRITER, Role.VIEWER), Set.of(), null);

  private final Session session;

  @Option(
      names = "--port",
      description = "The port of the HTTP API (default: 8080, or a free one if that is in use).")
  private @Nullable Integer port;

  @Option(names = "--once", description = "Ends after the month instead of running on.")
  private boolean once;

  @Option(
      names = "--green",
      description = "Leaves the bad night out, so that every period is settled.")
  private boolean green;

  DemoCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    Path folder = session.scratch("demo", DEFAULT_FOLDER);
    Path jobs = folder.resolve(BoardFiles.DEFAULT_FOLDER);
    Catalogue samples = BoardFiles.readSamples();
    copy(samples, jobs);
    var clock = new SettableClock(Demo.begin());
    EmbeddedServers.shareClock(folder, clock);
    HttpServer receiver = BadNight.receiver();
    try (RunningApplication app = session.start(launch(folder, clock, receiver), samples)) {
      String key = app.get(ApiKeys.class).create(KEY, Caller.get().name(), "demo");
      String password = addPeople(app.get(People.class));
      app.get(Anchors.class).keep(); // else they are anchored late, when the clock has moved
      Optional<Cheater> cheater = play(app, clock, key, receiver);
      show(app);
      clock.run();
      EmbeddedServers.shareClock(folder, clock);
      Findings findings = app.get(Verification.class).verifySettled(null, null);
      findings.named().forEach(difference -> session.print(difference.said()));
      session.print(findings.summary());
      if (!once && findings.clean()) {
        String folders = "--data " + folder;
        printExamples(app, folders, key);
        cheater.ifPresent(found -> printTour(app, folders, found));
        printConsole(app, password);
        new CountDownLatch(1).await();
      }
      return findings.clean() ? 0 : UserError.FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    } finally {
      receiver.stop(0);
    }
  }

  /** Adds one person who acts and one who approves, with the same password, and returns it. */
  private static String addPeople(People people) {
    String password = HexFormat.of().formatHex(KeyGenerators.secureRandom(8).generateKey());
    add(people, OPERATOR, Set.of(Role.OPERATOR, Role.ADMIN), password);
    add(people, APPROVER, Set.of(Role.APPROVER), password);
    return password;
  }

  private static void add(People people, String name, Set<Role> roles, String password) {
    people.changePassword(name, people.add(name, roles, Caller.get().name(), "demo"), password);
  }

  /** Gives the commands that follow the demo its boards. */
  private static void copy(Catalogue boards, Path jobs) throws IOException {
    Files.createDirectories(jobs);
    for (Board board : boards.all()) {
      Files.writeString(jobs.resolve(board.id() + BoardFiles.EXTENSION), board.source().text());
    }
  }

  /** How this program is called: by the launcher of the distribution, or as a jar. */
  private static String program() {
    return System.getProperty("palmares.launcher", "java -jar target/palmares.jar");
  }

  private LaunchOptions launch(Path folder, SettableClock clock, HttpServer receiver) {
    return LaunchOptions.of("server")
        .with(Part.WEB)
        .with(Part.SCHEDULER)
        .with(Clock.class, clock)
        .with("palmares.infra", "embedded")
        .with("palmares.data", folder.toString())
        .with("server.port", Integer.toString(port == null ? freePort() : port))
        .with(
            "palmares.outbox.webhook.url",
            "http://localhost:%s/facts".formatted(receiver.getAddress().getPort()))
        .with("palmares.outbox.webhook.allowed-hosts", "localhost")
        .with("palmares.outbox.webhook.secret", secret())
        // The tour and the inbox say what fails.
        .with("logging.level.palmares.settlement.closing", "off")
        .with("logging.level.palmares.settlement.outbox.Delivery", "off");
  }

  private static String secret() {
    byte[] key = KeyGenerators.secureRandom(32).generateKey();
    return "whsec_" + Base64.getEncoder().encodeToString(key);
  }

  /** The default port if it is free; 0, for any free port, if it is in use. */
  private static int freePort() {
    try (var socket = new ServerSocket(DEFAULT_PORT)) {
      return socket.getLocalPort();
    } catch (IOException inUse) {
      return 0;
    }
  }

  private static URI server(RunningApplication app) {
    return URI.create(
        "http://localhost:" + app.get(Environment.class).getProperty("local.server.port"));
  }

  private Optional<Cheater> play(
      RunningApplication app, SettableClock clock, String key, HttpServer receiver) {
    session.note(new DemoSentences.Plays(server(app).toString()));
    var demo =
        new Demo(
            clock,
            app.get(Sweep.class),
            app.get(DuePeriods.class),
            app.get(ClosingQueue.class),
            server(app),
            key);
    Texts texts = Texts.here();
    String month = texts.of(new DemoSentences.Month());
    var unit = new Progress.Unit(texts.of(new DemoSentences.Days()), 1);
    int days = Demo.MONTH.lengthOfMonth();
    Optional<Cheater> cheater = Optional.empty();
    try (Progress progress = Progress.of(session.terminal(), month, unit, days)) {
      Consumer<LocalDate> played =
          day ->
              progress.at(day.getDayOfMonth(), texts.of(new DemoSentences.Events(demo.counted())));
      if (green) {
        demo.play(played);
      } else {
        var night =
            new BadNight(
                demo,
                app.get(RedisClient.class),
                app.get(Periods.class),
                app.get(Exclusions.class),
                app.get(Amendments.class),
                app.get(Deliveries.class));
        cheater = Optional.of(night.play(played, receiver, OPERATOR));
      }
    }
    app.get(NightlyVerification.class).verifyIfDue(); // else the console misses it for minutes
    session.note(new DemoSentences.Counted(demo.counted()));
    return cheater;
  }

  private void show(RunningApplication app) throws IOException {
    var report = app.get(PeriodReport.class);
    var text = new StringWriter();
    for (BoardId board : List.of(MONTH, INVITES)) {
      List<PeriodSummary> settled = app.get(PeriodHistory.class).settled(board);
      text.write("\n");
      report.write(settled.subList(settled.size() - 1, settled.size()), SHOWN_PLACES, text);
    }
    session.print(text.toString());
  }

  private void printExamples(RunningApplication app, String folders, String key) {
    note(new DemoSentences.KeepsRunning());
    session.note(
        """

          curl %1$s/api/v1/boards/invites/periods/current/top
          curl %1$s/api/v1/events -H 'Authorization: Bearer %2$s' \\
            -H 'Content-Type: application/json' \\
            -d '{"id":"try-1","member":"you","action":"invite","subject":"a-friend"}'
          %3$s report invites 2026-W43 %4$s
          %3$s runs %4$s
          %3$s verify %4$s\
        """
            .formatted(server(app), key, program(), folders));
    note(new DemoSentences.KeyOnce(key));
  }

  private void printTour(RunningApplication app, String folders, Cheater cheater) {
    String console = server(app) + "/console";
    note(new DemoSentences.WentWrong());
    session.note("\n     %s inbox %s\n".formatted(program(), folders));
    stop(
        1,
        new DemoSentences.OverBudget(),
        command("preview coins 2026-10-31", folders),
        console + "/verbs/approve?board=coins&period=2026-10-31");
    stop(
        2,
        new DemoSentences.Tie(),
        command("preview time-trial 2026-10", folders),
        console + "/verbs/approve?board=time-trial&period=2026-10");
    stop(
        3,
        new DemoSentences.ChangedScore(),
        command("rebuild activity-daily 2026-10-31 --replace", folders)
            + " && "
            + command("close activity-daily 2026-10-31", folders),
        console + "/boards/activity-daily/periods/2026-10-31/steps");
    stop(
        4,
        new DemoSentences.Cheater(cheater.member(), cheater.credits()),
        command("explain %s invites 2026-W43".formatted(cheater.member()), folders),
        console + "/boards/invites/periods/2026-W43/revisions?revision=2");
    stop(
        5,
        new DemoSentences.Proof(),
        command("manifest invites 2026-W43", folders),
        console + "/boards/invites/periods/2026-W43/manifest");
    note(new DemoSentences.AlsoInInbox());
  }

  private static String command(String words, String folders) {
    return "%s %s %s".formatted(program(), words, folders);
  }

  /** A stop of the tour: what happened, a command, and the page that does the same. */
  private void stop(int number, Sentence what, String command, String page) {
    session.note(number + ". " + Texts.here().of(what));
    session.note("     " + command);
    session.note("     " + page);
  }

  private void printConsole(RunningApplication app, String password) {
    note(new DemoSentences.Console(server(app) + "/console", OPERATOR, APPROVER, password));
    note(new DemoSentences.Stops());
  }

  /** A paragraph. */
  private void note(Sentence said) {
    session.note("\n" + Texts.here().of(said));
  }
}

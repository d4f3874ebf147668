package palmares.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.bench.WrongResult;
import palmares.bench.start.StartBench;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the start-up time of a server. */
@Command(
    name = "start",
    description = {
      "Starts a server on embedded servers whose data exists, until it accepts an event and shows"
          + " it on its board over HTTP; then stops it.",
      "",
      "If the benchmark runs from classes, so does the server."
    },
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = "  java -jar palmares-bench.jar start --runs 5 --json start.json")
final class BenchStartCommand implements Callable<Integer> {
  private static final String EMBEDDED = "palmares.infra=embedded";

  private final Session session;

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description =
          "The jar of the server, or bin/palmares of a distribution, which uses its class archive"
              + " (default: palmares.jar next to the benchmark's jar).")
  private @Nullable Path jar;

  @Mixin private MeasuringOptions measuring = new MeasuringOptions();

  BenchStartCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    int runs = measuring.runs();
    Path server = jar == null && OwnProgram.isJar() ? OwnProgram.siblingJar() : jar;
    if (server != null && !Files.isRegularFile(server)) {
      throw UserError.badInput(
          Sentence.verbatim(
              "there is no %s; name the server's jar or launcher by --jar".formatted(server)));
    }
    Path folder = BenchServers.emptyFolder(session);
    Catalogue boards = BoardFiles.readSamples();
    String key = makeData(folder, boards);
    Path jobs = writeBoards(folder.resolve("jobs"), boards);
    String from = server == null ? "classes of their own" : server.getFileName().toString();
    if (server == null) {
      session.terminal().note("no --jar: the server starts from " + from);
    }
    var bench =
        new StartBench(
            port -> command(server, folder, jobs, port),
            folder.resolve("start.log"),
            key,
            new TerminalProgress(session.terminal(), "starts"));
    try {
      measuring.print(session.terminal(), Map.of("from", from), bench.measure(runs));
    } catch (WrongResult e) {
      throw UserError.failed(Refusal.said(e), e);
    }
    return 0;
  }

  private static List<String> command(@Nullable Path jar, Path folder, Path jobs, int port) {
    String[] arguments = {
      "server",
      "--port",
      "" + port,
      "--data",
      folder.toString(),
      "--jobs",
      jobs.toString(),
      "-D",
      EMBEDDED
    };
    return jar == null ? OwnProgram.palmares(arguments) : OwnProgram.jarOrLauncher(jar, arguments);
  }

  /** Creates the files and tables of the servers, and an API key, which it returns. */
  private String makeData(Path folder, Catalogue boards) {
    LaunchOptions launch =
        LaunchOptions.of("bench")
            .with("palmares.infra", "embedded")
            .with("palmares.data", folder.toString());
    try (RunningApplication app = session.start(launch, boards)) {
      return app.get(ApiKeys.class)
          .create(new NewKey("bench", Set.of(Role.WRITER), Set.of(), null), "bench", "benchmark");
    }
  }

  private static Path writeBoards(Path folder, Catalogue boards) throws IOException {
    Files.createDirectories(folder);
    for (Board board : boards.all()) {
      Files.writeString(folder.resolve(board.id() + ".yml"), board.source().text());
    }
    return folder;
  }
}

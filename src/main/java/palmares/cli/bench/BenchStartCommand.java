package palmares.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import palmares.api.keys.ApiKeys;
import palmares.bench.WrongResult;
import palmares.bench.start.StartBench;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.rules.board.Board;
import palmares.rules.catalogue.BoardFiles;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Measures how soon a server is there. */
@Command(
    name = "start",
    description = {
      "Starts a server of this program, on embedded servers whose data is there already, until it"
          + " takes an event and tells who stands on its board, over HTTP; and stops it.",
      "",
      "The figure is about the jar: called otherwise, it says so."
    },
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = "  java -jar palmares.jar bench start --runs 5 --json start.json")
final class BenchStartCommand implements Callable<Integer> {
  private static final String EMBEDDED = "palmares.infra=embedded";

  private final Session session;

  @Mixin private Measuring measuring = new Measuring();

  BenchStartCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    int runs = measuring.runs();
    Path folder = BenchServers.fresh(session);
    Catalogue boards = BoardFiles.readBundled();
    String key = makeData(folder, boards);
    Path jobs = writeBoards(folder.resolve("jobs"), boards);
    String from = OwnProgram.isJar() ? "the jar" : "classes of their own";
    if (!OwnProgram.isJar()) {
      session.terminal().note("not called as 'java -jar palmares.jar': it starts from " + from);
    }
    var bench =
        new StartBench(
            port -> server(folder, jobs, port),
            folder.resolve("start.log"),
            key,
            new Shown(session.terminal(), "starts"));
    try {
      measuring.tell(session.terminal(), Map.of("from", from), bench.measure(runs));
    } catch (WrongResult e) {
      throw UserError.failed(String.valueOf(e.getMessage()), e);
    }
    return 0;
  }

  private static List<String> server(Path folder, Path jobs, int port) throws IOException {
    return OwnProgram.command(
        List.of(),
        "server",
        "--port",
        "" + port,
        "--data",
        folder.toString(),
        "--jobs",
        jobs.toString(),
        "-D",
        EMBEDDED);
  }

  /** Lets the servers make their files and tables; gives a key for events. */
  private String makeData(Path folder, Catalogue boards) {
    LaunchOptions launch =
        LaunchOptions.of("bench")
            .with("palmares.infra", "embedded")
            .with("palmares.data", folder.toString());
    try (RunningApplication app = session.start(launch, boards)) {
      return app.get(ApiKeys.class).create("bench", Set.of());
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

package palmares.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.bench.Figures;
import palmares.bench.Parts;
import palmares.bench.Watcher;
import palmares.bench.WrongResult;
import palmares.bench.close.AgainstFormer;
import palmares.bench.close.ClosingBench;
import palmares.bench.history.HistoryBench;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.platform.time.SettableClock;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures closings. */
@Command(
    name = "close",
    description = {
      "Closes a big board by the real job: random ids, a heavy-tailed spread of points with many"
          + " ties, credits for every invitation, and prizes for the first thousand ranks.",
      "",
      "Each run is another day of the same members: their accounts are new in the first."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  palmares bench close --members 1000000 --json close.json",
      "  palmares bench close --members 1000000,10000000 --runs 1",
      "  palmares bench close --against palmares-former.jar --json against.json",
      "  palmares bench close --history 10000 --json history.json"
    })
final class BenchCloseCommand implements Callable<Integer> {
  private static final long USUALLY = 200_000;
  private static final long USUAL_MEMBERS = 1_000_000;
  private static final long HISTORY_MEMBERS = 50;
  private static final int MOST_PERIODS = 100_000;

  /** The median of three is of a closing that finds everything warm. */
  private static final int CLOSINGS_A_ROUND = 3;

  private final Session session;

  @Option(
      names = "--members",
      paramLabel = "N",
      split = ",",
      description =
          "How many stand on the board; several sizes: N,N (default: 1000000; 50 with --history).")
  private @Nullable List<Long> members;

  @Option(
      names = "--history",
      paramLabel = "N",
      description = {
        "Closes N periods, each in tables of its own, and measures at 1, 10, 100 and so on what one"
            + " more closing and the reads of one period take."
      })
  private @Nullable Integer history;

  @Option(
      names = "--against",
      paramLabel = "JAR",
      description = {
        "Compares with a former release: its own 'bench close' and this one's run in turn, three"
            + " closings each time, as many rounds as --runs says."
      })
  private @Nullable Path against;

  @Option(
      names = "--no-verify",
      description = "Does not derive anew what was closed, nor compare it.")
  private boolean unverified;

  @ArgGroup private Usual usual = new Usual();

  /** Whether it is closed the usual way too. */
  private static final class Usual {
    @Option(
        names = "--usual",
        description = "Closes boards of whatever size the usual way too; of a million: an hour.")
    private boolean always;

    @Option(
        names = "--no-usual",
        description = "Closes none the usual way (default: those of up to 200,000 members).")
    private boolean never;

    long most() {
      return always ? Long.MAX_VALUE : never ? 0 : USUALLY;
    }
  }

  @Mixin private Measuring measuring = new Measuring();

  @Spec private CommandSpec spec = CommandSpec.create();

  BenchCloseCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (history != null) {
      return measureHistory(history);
    }
    List<Long> sizes = members == null ? List.of(USUAL_MEMBERS) : members;
    Sizes.require(spec, sizes);
    if (against != null) {
      return measureAgainst(against, sizes);
    }
    var beside = new ClosingBench.Beside(!unverified, usual.most());
    var plan = new ClosingBench.Plan(sizes, measuring.runs(), measuring.seed(), beside);
    Figures figures =
        measured(
            LaunchOptions.closing("bench"),
            (parts, clock, watcher) -> new ClosingBench(parts, clock, watcher).measure(plan));
    measuring.tell(session.terminal(), Map.of("members", Sizes.told(sizes)), figures);
    return 0;
  }

  private int measureHistory(int periods) throws IOException {
    measuring.requireWithin("--history", periods, MOST_PERIODS);
    List<Long> sizes = members == null ? List.of(HISTORY_MEMBERS) : members;
    Sizes.require(spec, sizes);
    if (sizes.size() > 1) {
      throw new ParameterException(spec.commandLine(), "--history takes one size of --members");
    }
    long each = sizes.get(0);
    var plan = new HistoryBench.Plan(periods, each, measuring.runs(), measuring.seed());
    Figures figures =
        measured(
            LaunchOptions.closing("bench").with("palmares.history.own-tables-from", "" + each),
            (parts, clock, watcher) -> new HistoryBench(parts, clock, watcher).measure(plan));
    measuring.tell(session.terminal(), Map.of("members", each, "history", periods), figures);
    return 0;
  }

  private int measureAgainst(Path jar, List<Long> sizes) throws IOException {
    if (sizes.size() > 1) {
      throw new ParameterException(spec.commandLine(), "--against takes one size of --members");
    }
    if (!Files.isRegularFile(jar)) {
      throw new ParameterException(spec.commandLine(), "--against is a jar; there is no " + jar);
    }
    int rounds = measuring.runs();
    Path folder = BenchServers.fresh(session);
    List<String> machine = List.of("-Xmx" + (Runtime.getRuntime().maxMemory() >> 20) + "m");
    var options =
        List.of(
            "--members",
            "" + sizes.get(0),
            "--seed",
            "" + measuring.seed(),
            "--runs",
            "" + CLOSINGS_A_ROUND,
            "--no-usual",
            "--no-verify");
    var bench =
        new AgainstFormer(
            new ReleaseProcess(OwnProgram.ofJar(jar, machine), options, folder.resolve("former")),
            new ReleaseProcess(OwnProgram.command(machine), options, folder.resolve("present")),
            new Shown(session.terminal(), "rounds"));
    try {
      measuring.tell(
          session.terminal(), Map.of("members", Sizes.told(sizes)), bench.measure(rounds));
      return 0;
    } catch (WrongResult e) {
      throw UserError.failed(String.valueOf(e.getMessage()), e);
    }
  }

  private interface Bench {
    Figures measure(Parts parts, SettableClock clock, Watcher watcher);
  }

  private Figures measured(LaunchOptions launch, Bench bench) {
    var clock = new SettableClock(Instant.EPOCH);
    try (RunningApplication app =
        BenchServers.start(session, launch, clock, List.of(ClosingBench.board()))) {
      return bench.measure(app::get, clock, new Shown(session.terminal(), "lines"));
    } catch (WrongResult e) {
      throw UserError.failed(String.valueOf(e.getMessage()), e);
    }
  }
}

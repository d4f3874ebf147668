package palmares.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.bench.Beans;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.WrongResult;
import palmares.bench.close.AgainstFormer;
import palmares.bench.close.AgainstFormer.Release;
import palmares.bench.close.ClosingBench;
import palmares.bench.history.HistoryBench;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.platform.Refusal;
import palmares.platform.time.SettableClock;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures closings. */
@Command(
    name = "close",
    description = {
      "Closes a big board by the real job: random ids, a heavy-tailed distribution of points with"
          + " many ties, credits for every invitation, and prizes for the first thousand ranks.",
      "",
      "Each run is the next day of the same members."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  palmares-bench close --members 1000000 --json close.json",
      "  palmares-bench close --members 1000000,10000000 --runs 1",
      "  palmares-bench close --against palmares-bench-former.jar --json against.json",
      "  palmares-bench close --history 10000 --json history.json"
    })
final class BenchCloseCommand implements Callable<Integer> {
  private static final long MAX_MEMBERS_OF_USUAL_WAY = 200_000;
  private static final long DEFAULT_MEMBERS = 1_000_000;
  private static final long DEFAULT_HISTORY_MEMBERS = 50;
  private static final int MAX_PERIODS = 100_000;

  /** With three runs, the median is of a closing that found warm caches. */
  private static final int CLOSINGS_PER_ROUND = 3;

  private final Session session;

  @Option(
      names = "--members",
      paramLabel = "N",
      split = ",",
      description =
          "Members of the board; several sizes: N,N (default: 1000000; 50 with --history).")
  private @Nullable List<Long> members;

  @Option(
      names = "--history",
      paramLabel = "N",
      description = {
        "Closes N periods, each in its own tables. After 1, 10, 100 and so on, measures one more"
            + " closing and the reads of one period."
      })
  private @Nullable Integer history;

  @Option(
      names = "--against",
      paramLabel = "JAR",
      description = {
        "Compares with the benchmark of a former release: both close in turn, three closings each"
            + " time, for --runs rounds."
      })
  private @Nullable Path against;

  @Option(
      names = "--no-verify",
      description = "Neither verifies the outcome nor compares it with the usual way's.")
  private boolean unverified;

  @ArgGroup private Usual usual = new Usual();

  /** Whether boards are also closed the usual way. */
  private static final class Usual {
    @Option(
        names = "--usual",
        description =
            "Also closes boards of any size the usual way; a million members take an hour.")
    private boolean always;

    @Option(
        names = "--no-usual",
        description = "Closes no board the usual way (default: those of up to 200,000 members).")
    private boolean never;

    long maxMembers() {
      return always ? Long.MAX_VALUE : never ? 0 : MAX_MEMBERS_OF_USUAL_WAY;
    }
  }

  @Mixin private MeasuringOptions measuring = new MeasuringOptions();

  BenchCloseCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (history != null) {
      return measureHistory(history);
    }
    List<Long> sizes = members == null ? List.of(DEFAULT_MEMBERS) : members;
    measuring.requireSizes(sizes);
    if (against != null) {
      return measureAgainst(against, sizes);
    }
    var plan =
        new ClosingBench.Plan(
            sizes, measuring.runs(), measuring.seed(), !unverified, usual.maxMembers());
    Figures figures =
        measured(
            LaunchOptions.closing("bench"),
            (beans, clock, progress) -> new ClosingBench(beans, clock, progress).measure(plan));
    measuring.print(session.terminal(), Map.of("members", MeasuringOptions.joined(sizes)), figures);
    return 0;
  }

  private int measureHistory(int periods) throws IOException {
    measuring.requireWithin("--history", periods, MAX_PERIODS);
    List<Long> sizes = members == null ? List.of(DEFAULT_HISTORY_MEMBERS) : members;
    measuring.requireSizes(sizes);
    measuring.requireOneSize("--history", sizes);
    long each = sizes.get(0);
    var plan = new HistoryBench.Plan(periods, each, measuring.runs(), measuring.seed());
    Figures figures =
        measured(
            LaunchOptions.closing("bench").with("palmares.history.own-tables-from", "" + each),
            (beans, clock, progress) -> new HistoryBench(beans, clock, progress).measure(plan));
    measuring.print(session.terminal(), Map.of("members", each, "history", periods), figures);
    return 0;
  }

  private int measureAgainst(Path jar, List<Long> sizes) throws IOException {
    measuring.requireOneSize("--against", sizes);
    if (!Files.isRegularFile(jar)) {
      throw measuring.refused("--against is a jar; there is no " + jar);
    }
    int rounds = measuring.runs();
    Path folder = BenchServers.emptyFolder(session);
    List<String> heap = List.of("-Xmx" + (Runtime.getRuntime().maxMemory() >> 20) + "m");
    String[] command = OwnProgram.hasBenchCommand(jar) ? new String[] {"bench"} : new String[0];
    var bench =
        new AgainstFormer(
            release(OwnProgram.jar(jar, heap, command), sizes.get(0), folder.resolve("former")),
            release(OwnProgram.bench(heap), sizes.get(0), folder.resolve("present")),
            new TerminalProgress(session.terminal(), "rounds"));
    try {
      measuring.print(
          session.terminal(),
          Map.of("members", MeasuringOptions.joined(sizes)),
          bench.measure(rounds));
      return 0;
    } catch (WrongResult e) {
      throw UserError.failed(Refusal.said(e), e);
    }
  }

  private Release release(List<String> bench, long members, Path folder) {
    var command = new ArrayList<>(bench);
    command.addAll(List.of("close", "--members", "" + members, "--seed", "" + measuring.seed()));
    command.addAll(List.of("--runs", "" + CLOSINGS_PER_ROUND, "--no-usual", "--no-verify"));
    return new Release(command, folder);
  }

  private interface Bench {
    Figures measure(Beans beans, SettableClock clock, ProgressListener progress);
  }

  private Figures measured(LaunchOptions launch, Bench bench) {
    var clock = new SettableClock(Instant.EPOCH);
    var progress = new TerminalProgress(session.terminal(), "lines");
    return BenchServers.measure(
        session,
        launch,
        clock,
        List.of(ClosingBench.board()),
        app -> bench.measure(app::get, clock, progress));
  }
}

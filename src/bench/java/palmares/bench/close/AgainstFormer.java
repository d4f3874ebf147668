package palmares.bench.close;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.ShutdownHook;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import tools.jackson.databind.json.JsonMapper;

/** Compares closings of the same members by this release and by a former one, in turn. */
public final class AgainstFormer {
  private static final String SECONDS = "close_seconds";
  private static final String POSTGRES = "postgres_cpu_seconds";

  private final Release former;
  private final Release present;
  private final ProgressListener progress;

  public AgainstFormer(Release former, Release present, ProgressListener progress) {
    this.former = former;
    this.present = present;
    this.progress = progress;
  }

  private record Round(Map<String, Double> former, Map<String, Double> present) {
    double ratio(String name) {
      return of(present, name) / of(former, name);
    }
  }

  private static double of(Map<String, Double> figures, String name) {
    return Objects.requireNonNull(figures.get(name), name);
  }

  /**
   * Measures both releases in each round.
   *
   * @throws palmares.bench.WrongResult if one of them fails
   */
  public Figures measure(int rounds) {
    List<Round> read = new ArrayList<>();
    for (int n = 1; n <= rounds; n++) {
      var round = new Round(former.measure(), present.measure());
      progress.report(
          "round %d of %d: the former release %.2f s, this one %.2f s"
              .formatted(n, rounds, of(round.former(), SECONDS), of(round.present(), SECONDS)));
      read.add(round);
    }
    var figures = new Figures();
    figures.addWithAim(
        "close_over_former",
        "closing / closing of the former release",
        median(read, round -> round.ratio(SECONDS)),
        Aim.atMost(.25));
    add(figures, "former_close_seconds", "the former release", read, Round::former, SECONDS);
    add(figures, "present_close_seconds", "this release", read, Round::present, SECONDS);
    if (read.stream().allMatch(round -> round.former().containsKey(POSTGRES))) {
      add(
          figures,
          "former_postgres_cpu_seconds",
          "  PostgreSQL, former",
          read,
          Round::former,
          POSTGRES);
      add(
          figures,
          "present_postgres_cpu_seconds",
          "  PostgreSQL, this",
          read,
          Round::present,
          POSTGRES);
    }
    IntStream.range(0, rounds)
        .forEach(
            n ->
                figures.add(
                    "close_over_former_round_" + (n + 1),
                    "  ratio of round " + (n + 1),
                    read.get(n).ratio(SECONDS),
                    ""));
    return figures;
  }

  private interface Side {
    Map<String, Double> of(Round round);
  }

  private static void add(
      Figures figures, String name, String label, List<Round> rounds, Side side, String figure) {
    figures.add(name, label, median(rounds, round -> of(side.of(round), figure)), "s");
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> of) {
    return Timing.median(rounds.stream().map(of::applyAsDouble).toList());
  }

  /**
   * A release whose benchmark closes boards in its own process, on embedded servers.
   *
   * @param close the command that measures closings, without the options for files and servers
   * @param folder where its servers, log and figures are written
   */
  public record Release(List<String> close, Path folder) {

    /**
     * Runs the benchmark.
     *
     * @return the figures by name
     * @throws WrongResult if the benchmark fails
     */
    Map<String, Double> measure() {
      Path json = folder.resolve("close.json");
      Path log = folder.resolve("close.log");
      var command = new ArrayList<>(close);
      command.addAll(List.of("--json", json.toString()));
      command.addAll(List.of("--data", folder.resolve("servers").toString()));
      command.addAll(List.of("-D", "palmares.infra=embedded"));
      try {
        Files.createDirectories(folder);
        int exit = run(command, log);
        if (exit != 0) {
          throw new WrongResult(
              "%s ended with exit code %d: see %s".formatted(String.join(" ", command), exit, log));
        }
        return figures(json);
      } catch (IOException e) {
        throw new WrongResult("%s cannot be run: %s".formatted(String.join(" ", command), e));
      }
    }

    /** Runs a command, and destroys its process if this process ends first. */
    private static int run(List<String> command, Path log) throws IOException {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      var hook = new ShutdownHook(process::destroy);
      try {
        return process.waitFor();
      } catch (InterruptedException e) {
        process.destroy();
        Thread.currentThread().interrupt();
        throw new WrongResult("interrupted while " + command.get(0) + " ran");
      } finally {
        hook.close();
      }
    }

    private static Map<String, Double> figures(Path json) throws IOException {
      Map<?, ?> read = JsonMapper.shared().readValue(Files.readString(json), Map.class);
      var figures = new LinkedHashMap<String, Double>();
      read.forEach(
          (name, value) -> {
            if (value instanceof Number number) {
              figures.put(String.valueOf(name), number.doubleValue());
            }
          });
      return figures;
    }
  }
}

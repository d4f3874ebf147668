package palmares.bench.close;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.Measured;
import palmares.bench.Watcher;

/** Compares closings of the same members by this release and by a former one, in turn. */
public final class AgainstFormer {
  private static final String SECONDS = "close_seconds";
  private static final String POSTGRES = "postgres_cpu_seconds";

  private final Release former;
  private final Release present;
  private final Watcher watcher;

  public AgainstFormer(Release former, Release present, Watcher watcher) {
    this.former = former;
    this.present = present;
    this.watcher = watcher;
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
      watcher.say(
          "round %d of %d: the former release %.2f s, this one %.2f s"
              .formatted(n, rounds, of(round.former(), SECONDS), of(round.present(), SECONDS)));
      read.add(round);
    }
    var figures = new Figures();
    figures.hold(
        "close_over_former",
        "closing / closing of the former release",
        median(read, round -> round.ratio(SECONDS)),
        Aim.atMost(.25));
    tell(figures, "former_close_seconds", "the former release", read, Round::former, SECONDS);
    tell(figures, "present_close_seconds", "this release", read, Round::present, SECONDS);
    if (read.stream().allMatch(round -> round.former().containsKey(POSTGRES))) {
      tell(
          figures,
          "former_postgres_cpu_seconds",
          "  PostgreSQL, former",
          read,
          Round::former,
          POSTGRES);
      tell(
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
                figures.tell(
                    "close_over_former_round_" + (n + 1),
                    "  ratio of round " + (n + 1),
                    read.get(n).ratio(SECONDS),
                    ""));
    return figures;
  }

  private interface Side {
    Map<String, Double> of(Round round);
  }

  private static void tell(
      Figures figures, String name, String label, List<Round> rounds, Side side, String figure) {
    figures.tell(name, label, median(rounds, round -> of(side.of(round), figure)), "s");
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> of) {
    return Measured.median(rounds.stream().map(of::applyAsDouble).toList());
  }
}

package palmares.bench.read;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.Timing;
import palmares.rules.board.RankMethod;

/** The figures of {@code read}: medians over the runs. */
final class ReadFigures {
  /** The size that the largest is compared with, if it was measured. */
  private static final long BASE_SIZE = 10_000;

  private final List<Long> sizes;
  private final Figures figures = new Figures();
  private final Map<String, Double> byName = new LinkedHashMap<>();

  ReadFigures(List<Long> sizes) {
    this.sizes = sizes;
  }

  /** Adds the microseconds of a query of one board, one value for each run. */
  void add(RankMethod method, long members, Query query, List<Double> micros) {
    double median = Timing.median(micros);
    String name = name(method, query, members);
    byName.put(name, median);
    figures.add(
        name,
        "%s, %s ranks, %,d members".formatted(query.label(), method.word(), members),
        median,
        "us");
  }

  /** All figures, with the growth of time if there are several sizes. */
  Figures all() {
    long most = Collections.max(sizes);
    long least = sizes.contains(BASE_SIZE) && most > BASE_SIZE ? BASE_SIZE : Collections.min(sizes);
    if (most > least) {
      double growth = 0;
      for (RankMethod method : RankMethod.values()) {
        for (Query query : Query.values()) {
          growth = Math.max(growth, ratio(method, query, most, least));
        }
      }
      figures.addWithAim(
          "read_growth",
          "%,d members / %,d members, at the worst".formatted(most, least),
          growth,
          Aim.atMost(3));
    }
    return figures;
  }

  private double ratio(RankMethod method, Query query, long most, long least) {
    return byName.getOrDefault(name(method, query, most), Double.NaN)
        / byName.getOrDefault(name(method, query, least), Double.NaN);
  }

  private static String name(RankMethod method, Query query, long members) {
    return "read_%s_%s_us_%s".formatted(method.word(), query.word(), members);
  }
}

package palmares.settlement.lines;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import palmares.rules.board.RankMethod;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Model;

/** A seeded history for the three commit boards, and what must come of it by the model alone. */
final class MadeUpHistory {
  private static final Map<String, Long> WORTH = Map.of("commit", 10L, "merge", 1L);
  private static final Instant FROM = Instant.parse("2019-12-20T00:00:00Z");

  private final List<Fact> facts = new ArrayList<>();

  MadeUpHistory(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < 400; i++) {
      Instant at = FROM.plusSeconds(random.nextInt(100 * 86_400));
      facts.add(
          random.nextInt(6) > 0 || facts.isEmpty()
              ? Fact.by("m" + random.nextInt(12))
                  .does(random.nextInt(4) == 0 ? "merge" : "commit")
                  .on("s" + random.nextInt(500))
                  .at(at)
              : takenBack(facts.get(random.nextInt(facts.size())), random));
    }
    facts.sort(Comparator.comparing(fact -> fact.at() == null ? FROM : fact.at()));
  }

  private static Fact takenBack(Fact fact, Random random) {
    Instant at = fact.at() == null ? FROM : fact.at();
    return fact.undone().at(at.plusSeconds(random.nextInt(2 * 86_400)));
  }

  List<Fact> facts() {
    return facts;
  }

  Map<String, Map<String, List<Line>>> standings() {
    var standings = new LinkedHashMap<String, Map<String, List<Line>>>();
    standings.put("commits-daily", standings("America/New_York", "yyyy-MM-dd"));
    standings.put("commits-weekly", standings("UTC", "YYYY-'W'ww"));
    standings.put("commits-monthly", standings("Asia/Shanghai", "yyyy-MM"));
    return standings;
  }

  private Map<String, List<Line>> standings(String zone, String name) {
    var names = DateTimeFormatter.ofPattern(name, Locale.UK);
    var models = new TreeMap<String, Model>();
    for (Fact fact : facts) {
      Instant at = fact.at() == null ? FROM : fact.at();
      models
          .computeIfAbsent(
              names.format(ZonedDateTime.ofInstant(at, ZoneId.of(zone))),
              period -> new Model(WORTH, 1_000_000, Duration.ofSeconds(1)))
          .apply(fact);
    }
    var standings = new TreeMap<String, List<Line>>();
    models.forEach((period, model) -> standings.put(period, model.lines(RankMethod.UNIQUE)));
    return standings;
  }
}

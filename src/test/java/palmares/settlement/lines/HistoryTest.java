package palmares.settlement.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.intake.EventOrigin;
import palmares.period.ImportRuns;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.ClosingResult;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Whole histories: each standing of each period is what an independent program worked out. */
@WorldTest
class HistoryTest {
  private static final List<String> BOARDS =
      List.of("commits-daily", "commits-weekly", "commits-monthly");

  /**
   * With {@code -Dtests.history=all}: the whole history, of which every month and sixty days and
   * weeks are settled. The suite has time for its last two years.
   */
  private static final boolean WHOLE = System.getProperty("tests.history", "").equals("all");

  private static final String FIRST_YEAR = WHOLE ? "2007" : "2025";

  /**
   * How many of the latest periods of each board are settled, once all live boards are compared.
   */
  private static final Map<String, Integer> CLOSED =
      WHOLE
          ? Map.of("commits-daily", 60, "commits-weekly", 60, "commits-monthly", 218)
          : Map.of("commits-daily", 10, "commits-weekly", 10, "commits-monthly", 15);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private ImportRuns imports;
  @Autowired private ClosingQueue queue;

  @Test
  void theRealHistorySettlesToItsExpectedStandings() throws Exception {
    assumeThat(RealHistory.FOLDER).as("the real history is next to this checkout").exists();
    List<Fact> facts = RealHistory.facts();
    var expected = new LinkedHashMap<String, Map<String, List<Line>>>();
    for (String board : BOARDS) {
      expected.put(board, RealHistory.standings(board));
    }
    assertThat(expected.values().stream().mapToLong(Map::size).sum()).isEqualTo(2_649);
    assertThat(lines(expected)).isEqualTo(5_231);
    expected.replaceAll((board, periods) -> latest(periods));
    // A week of January may begin in December.
    Instant from = Instant.parse(FIRST_YEAR + "-01-01T00:00:00Z").minus(Duration.ofDays(8));
    settlesTo(facts.stream().filter(fact -> !from.isAfter(fact.at())).toList(), expected, CLOSED);
  }

  private static Map<String, List<Line>> latest(Map<String, List<Line>> periods) {
    return new TreeMap<>(periods).tailMap(FIRST_YEAR);
  }

  @Test
  void aGeneratedHistorySettlesToTheStandingsOfTheModel() throws Exception {
    long seed = 20_261_120;
    var history = new MadeUpHistory(seed);
    settlesTo(
        history.facts(),
        history.standings(),
        Map.of("commits-daily", 30, "commits-weekly", 20, "commits-monthly", 12));
  }

  private void settlesTo(
      List<Fact> facts, Map<String, Map<String, List<Line>>> expected, Map<String, Integer> closed)
      throws Exception {
    var boards = new LinkedHashMap<String, Board>();
    for (String name : BOARDS) {
      boards.put(name, world.board(Files.readString(Path.of("jobs", name + ".yml"))));
    }
    var run = imports.begin("a history", "local:test");
    world.takeAll(facts, new EventOrigin.History(run));
    imports.end(run, imports.now());

    var latest = new ArrayList<Period>();
    boards.forEach(
        (name, board) -> {
          var live = new TreeMap<String, List<Line>>();
          var periods = expected.getOrDefault(name, Map.of()).keySet();
          periods.forEach(period -> live.put(period, records.live(world.period(board, period))));
          assertThat(live).as(name).isEqualTo(expected.get(name));
          periods.stream()
              .skip(Math.max(0, periods.size() - closed.getOrDefault(name, 0)))
              .forEach(period -> latest.add(world.period(board, period)));
        });
    closeAndCompare(latest, boards, expected);
  }

  private void closeAndCompare(
      List<Period> periods,
      Map<String, Board> boards,
      Map<String, Map<String, List<Line>>> expected) {
    for (var closing :
        queue.close(periods.stream().map(Period::id).toList(), ClosingCause.of("test"))) {
      assertThat(closing.join().outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    }
    boards.forEach(
        (name, board) ->
            periods.stream()
                .filter(period -> period.board().equals(board.id()))
                .forEach(
                    period ->
                        assertThat(records.published(period))
                            .as("%s %s", name, period.name())
                            .isEqualTo(
                                expected.getOrDefault(name, Map.of()).get(period.name().value()))));
    assertThat(Texts.english(records.verify().summary()))
        .startsWith("verified: %d periods".formatted(periods.size()))
        .endsWith("0 missing, 0 extra, 0 unequal");
    assertThat(world.now()).isEqualTo(Instant.parse("2026-11-20T10:00:00Z"));
  }

  private static long lines(Map<String, Map<String, List<Line>>> standings) {
    return standings.values().stream()
        .flatMap(periods -> periods.values().stream())
        .mapToLong(List::size)
        .sum();
  }
}

package palmares.period.exclusion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.platform.text.Texts;
import palmares.rules.board.MemberId;
import palmares.rules.board.RankMethod;
import palmares.settlement.verification.Difference;
import palmares.testing.Line;
import palmares.testing.Model;
import palmares.testing.RandomFacts;
import palmares.testing.Records;
import palmares.testing.Seeds;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * On every kind of board, hidden members have no line and unranked members are last. All others
 * have the ranks of a board without the excluded ones.
 */
@WorldTest
class FinalOrderLawTest {
  private static final int FACTS = 60;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;

  static LongStream seeds() {
    return Seeds.from1To(6);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void linesEqualTheModelWithoutExcludedMembers(long seed) {
    var random = new Random(seed);
    var chance = new RandomFacts(seed);
    RankMethod ranks = RankMethod.values()[(int) (seed % 3)];
    Period period = world.open(world.board(chance.rules().with("ranks: " + ranks.word())));
    world.now(period.slot().endsAt());
    Model model = chance.model();
    var facts = chance.facts(period.slot(), FACTS);
    facts.forEach(model::apply);
    world.take(facts);

    var levels = new HashMap<String, ExclusionLevel>();
    for (Line line : model.lines(ranks)) {
      if (random.nextInt(3) == 0) {
        ExclusionLevel level = ExclusionLevel.values()[random.nextInt(3)];
        levels.put(line.member(), level);
        exclusions.exclude(Terms.always(new MemberId(line.member()), level), "a law", "test");
      }
    }
    Period settled = world.settle(period);

    assertThat(records.published(settled))
        .as("seed %d, %s", seed, chance)
        .isEqualTo(expected(model, ranks, levels));
    assertThat(records.verify().named()).as("verified, seed %d", seed).isEmpty();
    assertThat(tampered("update line set place = 999 where place = (select max(place) from line)"))
        .as("a moved line, seed %d", seed)
        .anyMatch(found -> found.contains("stored place 999"));
    assertThat(tampered("update line set rank = null where place = 1"))
        .as("a line without its rank, seed %d", seed)
        .anyMatch(found -> found.contains("stored place 1, rank none"));
  }

  private List<String> tampered(String sql) {
    return servers.tampered(
        sql,
        () -> records.verify().named().stream().map(Difference::said).map(Texts::english).toList());
  }

  private static List<Line> expected(
      Model model, RankMethod ranks, Map<String, ExclusionLevel> levels) {
    var lines =
        new ArrayList<>(
            model.lines(
                ranks,
                member ->
                    levels.getOrDefault(member, ExclusionLevel.NO_PRIZE)
                        == ExclusionLevel.NO_PRIZE));
    int ranked = lines.size();
    model.lines(RankMethod.UNIQUE, member -> levels.get(member) == ExclusionLevel.UNRANKED).stream()
        .map(
            line ->
                new Line(
                    ranked + line.place(),
                    0,
                    line.member(),
                    line.points(),
                    line.thenBy(),
                    line.reachedAt()))
        .forEach(lines::add);
    return lines;
  }
}

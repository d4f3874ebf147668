package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.Period;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A board of three keys, written by the well-known script, keeps its dense ranks and is proved. */
@WorldTest
class SharedRankTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;

  private Foreign foreign;
  private Period day;

  @BeforeEach
  void aBoardOfThreeKeys() {
    foreign = new Foreign(servers);
    day =
        world.open(
            world.board(
                """
                title: Shared
                period: day
                ranks: dense
                adopt:
                  encoding: shared-rank
                  members: lb:{period}:members
                  counts: lb:{period}:counts
                  scores: lb:{period}:scores
                rewards: [{ rule: podium, ranks: { 1: 100, 2: 50 } }]
                """));
  }

  @Test
  void equalPointsShareARankAndItsPrize() {
    foreign.add("ann", 5);
    foreign.add("bob", 9);
    foreign.add("cid", 9);
    foreign.add("ann", 4);
    foreign.add("dan", 3);
    foreign.add("eve", 3);
    foreign.add("eve", -3);

    world.settle(day);

    assertThat(records.published(day).stream().map(line -> line.member() + line.rank()))
        .containsExactly("cid1", "bob1", "ann1", "dan2", "eve3");
    assertThat(records.paid(day))
        .isEqualTo(
            Map.of("ann podium", 100L, "bob podium", 100L, "cid podium", 100L, "dan podium", 50L));
    assertThat(records.words("select kind || points || ' ' || members from loss"))
        .containsExactly("no-time9 3");
    assertThat(records.verify().named()).isEmpty();
    assertThat(foreign.keys()).noneMatch(key -> key.startsWith("lb:"));
  }

  @Test
  void moreMembersThanAPageAreReadCompletely() {
    var random = new Random(47);
    var held = new TreeMap<String, Long>();
    for (int n = 0; n < 15_000; n++) {
      String member = "m" + random.nextInt(40_000);
      long points = random.nextInt(40);
      foreign.add(member, points);
      held.merge(member, points, Long::sum);
    }
    world.settle(day);
    var published = new TreeMap<String, Long>();
    records.published(day).forEach(line -> published.put(line.member(), line.points()));
    assertThat(published).isEqualTo(held);
    assertThat(records.published(day)).extracting(Line::rank).isSorted();
  }

  @ParameterizedTest
  @CsvSource({
    "HSET counts 9 1, '9 points: 2 members hold them, 1 counted; they are among'",
    "HSET counts 7 1, '7 points: 0 members hold them, 1 counted; they are not among'",
    "ZREM scores 9, '9 points: 2 members hold them, 2 counted; they are not'",
    "ZADD scores 8 8, '8 points: 0 members hold them, 0 counted; they are among'",
    "ZADD scores 8 9, 'palmares-sealed the entry 9 has the score 8.0'",
    "HSET counts x 1, 'palmares-sealed ''x'' is not a whole number'",
    "HSET members ann 8, '8 points: 1 member holds them, 0 counted'",
    "DEL counts, '9 points: 2 members hold them, 0 counted'"
  })
  void keysThatDoNotAgreeStopTheClosing(String tampering, String said) {
    foreign.add("ann", 9);
    foreign.add("bob", 9);
    String[] words = tampering.split(" ");
    words[1] = Foreign.KEY + ":" + words[1];
    foreign.run(words[0], Arrays.copyOfRange(words, 1, words.length));

    ClosingResult closed = world.close(day);

    assertThat(closed.outcome()).isEqualTo(Status.FAILED);
    assertThat(closed.text()).contains(said);
    assertThat(records.number("select count(*) from transfer")).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "ann 5.5, ann: '5.5' is not a whole number",
    "ann inf, ann: 'inf' is not a whole number",
    "ann -1, ann: -1 is negative",
    "ann 9007199254740993, more points than 2^53 - 1"
  })
  void invalidPointsStopTheClosingAndChangeNothing(String entry, String said) {
    foreign.add("bob", 1);
    var before = foreign.keys();
    foreign.run("HSET", Foreign.KEY + ":members", entry.split(" ")[0], entry.split(" ")[1]);

    ClosingResult closed = world.close(day);

    assertThat(closed.text()).contains("1 line of lb:2026-11-20:members cannot be read", said);
    assertThat(foreign.keys()).isEqualTo(before);
  }
}

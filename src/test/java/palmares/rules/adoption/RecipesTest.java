package palmares.rules.adoption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.Period;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * What the well-known recipes for ties lose, each at its figure, on real Redis; and the same facts
 * on a live board of ours, which loses nothing there.
 */
@WorldTest
class RecipesTest {
  private static final Instant T = Instant.parse("2026-11-20T08:00:00Z");
  private static final Instant END = Instant.parse("2026-11-21T00:00:00Z");
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long SEED = 47;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;

  /** A member who reached so many points at that time. */
  private record Reached(String member, long points, Instant at) {}

  /** What a team's program sends to Redis as a score. */
  private interface Recipe {
    String score(long points, Instant at);
  }

  private static final Recipe FRACTION =
      (points, at) -> Double.toString(points + 1 - at.toEpochMilli() / 1e13);

  private static final Recipe SHIFTED =
      (points, at) -> Long.toString(points << 41 | END.toEpochMilli() - at.toEpochMilli());

  private static final Recipe MULTIPLIED =
      (points, at) ->
          Double.toString(points * 134_217_728.0 + Duration.between(at, END).toSeconds());

  @ParameterizedTest
  @CsvSource({"PT0.001S, 511", "PT1S, 524287"})
  void theTimeFractionDistinguishesTicksUpToALimitAndCollidesAboveIt(Duration tick, long most) {
    assertThat(scores(FRACTION, most, tick, 1_000)).isEqualTo(1_000);
    assertThat(scores(FRACTION, most + 1, tick, 1_000)).isLessThan(1_000);
    assertPalmaresDistinguishes(most + 1, MILLI);
  }

  @Test
  void theTimeFractionDriftsByMoreThanASecondInAThousandAdditions() {
    Instant once = T.plusSeconds(12);
    zadd(FRACTION.score(0, once), "ann");
    IntStream.range(0, 1_000).forEach(time -> run("ZINCRBY", "1100", "ann"));
    double read = (1_100_001 - score("ann")) * 1e13;
    assertThat(Math.abs(read - once.toEpochMilli())).isBetween(1_200.0, 1_300.0);

    Fact addition = Fact.by("ann").does("grant").times(1_100).at(once);
    Period day = ours("day", 1_100_000, MILLI);
    world.take(IntStream.range(0, 1_000).mapToObj(time -> addition.again()).toList());
    assertThat(records.live(day)).containsExactly(new Line(1, 1, "ann", 1_100_000, once));
  }

  @Test
  void theTimeFractionYieldsOnePointTooManyFrom2To51() {
    zadd(FRACTION.score((1L << 51) - 1, T), "below");
    zadd(FRACTION.score(1L << 51, T), "from");
    assertThat((long) score("below")).isEqualTo((1L << 51) - 1);
    assertThat((long) score("from")).isEqualTo((1L << 51) + 1);

    Period day = ours("day", 1L << 51, MILLI);
    world.take(Fact.by("from").does("grant").times(1L << 51).at(T));
    assertThat(records.points(day, "from")).isEqualTo(1L << 51);
    assertPalmaresDistinguishes(1L << 51, MILLI);
  }

  @ParameterizedTest
  @CsvSource({"4095, 1", "4096, 2", "100000, 32", "2097152, 1024"})
  void theShiftedTimeHasALimitedResolution(long points, int millis) {
    int times = 16 * 1024;
    assertThat(scores(SHIFTED, points, MILLI, times)).isBetween(times / millis, times / millis + 1);
    assertPalmaresDistinguishes(points, MILLI);
  }

  @Test
  void atFourMillionPointsTheShiftedLeaderIsLast() {
    var members = List.of(new Reached("zoe", 4_194_304, T), new Reached("ann", 4_194_303, T));
    assertThat(theirs(SHIFTED, members)).containsExactly("ann", "zoe");
    assertThat(ours(members, MILLI)).containsExactly("zoe", "ann");
  }

  @Test
  void aMillisecondAfterTheEndTheShiftedPointsAreLost() {
    zadd(SHIFTED.score(1_000, END.plusMillis(1)), "ann");
    assertThat(score("ann")).isEqualTo(-1.0);

    Period day = ours("day", 1_000, MILLI);
    Fact intime = Fact.by("ann").does("grant").times(999).at(END.minusMillis(1));
    world.now(END.plusMillis(1));
    world.take(List.of(intime, intime.again().times(1).at(END.plusMillis(1))));
    assertThat(records.live(day).get(0).points()).isEqualTo(999);
  }

  @Test
  void theMultipliedPointsDistinguishSecondsUpToALimit() {
    assertThat(scores(MULTIPLIED, 67_108_863, SECOND, 1_000)).isEqualTo(1_000);
    assertThat(scores(MULTIPLIED, 67_108_864, SECOND, 1_000)).isLessThan(1_000);
    assertPalmaresDistinguishes(67_108_864, SECOND);
  }

  @Test
  void twoMembersInOneSecondOfTheMultipliedPointsAreInByteOrder() {
    var members =
        List.of(new Reached("ann", 5, T.plusMillis(1)), new Reached("zoe", 5, T.plusMillis(999)));
    assertThat(theirs(MULTIPLIED, members)).containsExactly("zoe", "ann");
    assertThat(ours(members, MILLI)).containsExactly("ann", "zoe");
  }

  @ParameterizedTest
  @CsvSource({
    "day, 86400, %d, 11.9",
    "day, 86400, %05d, 0.0",
    "week, 604800, %05d, 17.8",
    "month, 2678400, %05d, 43.1"
  })
  void decimalSecondsReverseAShareOfThePairs(
      String period, int seconds, String decimals, double percent) {
    int[] left = new Random(SEED).ints(1, seconds + 1).distinct().limit(10_000).toArray();
    var sent = new ArrayList<String>();
    for (int each : left) {
      sent.addAll(List.of("7." + String.format(Locale.ROOT, decimals, each), "m" + each));
    }
    run("ZADD", sent.toArray(String[]::new));
    double pairs = left.length * (left.length - 1) / 2.0;
    assertThat(100 * reversedPairs(top()) / pairs).isEqualTo(percent, within(0.7));

    Period own = ours(period, 7, SECOND);
    Instant end = own.slot().endsAt();
    world.now(end.minusMillis(1));
    world.take(
        IntStream.of(left)
            .limit(500)
            .mapToObj(each -> Fact.by("m" + each).does("grant").times(7).at(end.minusSeconds(each)))
            .toList());
    var members = records.live(own).stream().map(Line::member).toList();
    assertThat(members).hasSizeGreaterThan(450);
    assertThat(reversedPairs(members)).isZero();
  }

  @Test
  void decimalSecondsOfNegativePointsReverseTies() {
    zadd("-5.80000", "first");
    zadd("-5.10000", "second");
    assertThat(top()).containsExactly("second", "first");
  }

  /** Of members named by the seconds that were left: how many pairs stand the wrong way round. */
  private static long reversedPairs(List<String> members) {
    int[] left = members.stream().mapToInt(name -> Integer.parseInt(name.substring(1))).toArray();
    long count = 0;
    for (int i = 0; i < left.length; i++) {
      for (int j = i + 1; j < left.length; j++) {
        count += left[i] < left[j] ? 1 : 0;
      }
    }
    return count;
  }

  private void assertPalmaresDistinguishes(long points, Duration tick) {
    var early = new Reached("ann", points, T);
    var late = new Reached("zoe", points, T.plus(tick));
    assertThat(ours(List.of(late, early), tick)).containsExactly("ann", "zoe");
  }

  private List<String> ours(List<Reached> members, Duration tick) {
    long most = Collections.max(members, Comparator.comparing(Reached::points)).points();
    Period day = ours("day", most, tick);
    for (Reached each : members) {
      world.take(Fact.by(each.member()).does("grant").times(each.points()).at(each.at()));
    }
    return records.live(day).stream().map(Line::member).toList();
  }

  private Period ours(String period, long most, Duration tick) {
    return world.open(
        world.board(
            Rules.of(period)
                .with("clock: event")
                .with("resolution: " + (tick.equals(MILLI) ? "millisecond" : "second"))
                .with("actions: { grant: { points: 1, max-quantity: %d } }".formatted(most))
                .with("max-points: " + most)));
  }

  private List<String> theirs(Recipe recipe, List<Reached> members) {
    members.forEach(each -> zadd(recipe.score(each.points(), each.at()), each.member()));
    return top();
  }

  /** How many different scores so many times get, each a tick after the one before it. */
  private int scores(Recipe recipe, long points, Duration tick, int times) {
    run("DEL");
    var sent = new ArrayList<String>();
    for (int n = 0; n < times; n++) {
      sent.addAll(List.of(recipe.score(points, T.plus(tick.multipliedBy(n))), "m" + n));
    }
    run("ZADD", sent.toArray(String[]::new));
    return servers.redis(
        redis ->
            (int)
                Objects.requireNonNull(redis.zSetCommands().zRangeWithScores(KEY, 0, -1)).stream()
                    .mapToDouble(line -> Objects.requireNonNull(line.getScore()))
                    .distinct()
                    .count());
  }

  private static final byte[] KEY = "recipe".getBytes(UTF_8);

  private List<String> top() {
    return servers.redis(
        redis ->
            Objects.requireNonNull(redis.zSetCommands().zRevRange(KEY, 0, -1)).stream()
                .map(member -> new String(member, UTF_8))
                .toList());
  }

  private double score(String member) {
    return servers.redis(
        redis -> Objects.requireNonNull(redis.zSetCommands().zScore(KEY, member.getBytes(UTF_8))));
  }

  private void zadd(String score, String member) {
    run("ZADD", score, member);
  }

  /** Sends a command as any client does: the score is a text. */
  private void run(String command, String... arguments) {
    var sent = new ArrayList<byte[]>(List.of(KEY));
    for (String argument : arguments) {
      sent.add(argument.getBytes(UTF_8));
    }
    servers.redis(redis -> redis.execute(command, sent.toArray(byte[][]::new)));
  }
}

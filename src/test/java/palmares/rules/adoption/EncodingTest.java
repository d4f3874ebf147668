package palmares.rules.adoption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import palmares.rules.adoption.Encoding.AppendedSeconds;
import palmares.rules.adoption.Encoding.DecimalSeconds;
import palmares.rules.adoption.Encoding.DecodedScore;
import palmares.rules.adoption.Encoding.PlainPoints;
import palmares.rules.adoption.Encoding.PlainPoints.BelowZero;
import palmares.rules.adoption.Encoding.SharedRank;
import palmares.rules.adoption.Encoding.TicksLeft;
import palmares.rules.adoption.Encoding.TimeFraction;
import palmares.rules.adoption.Encoding.UndecodableScore;

/** Scores are decoded exactly as far as doubles allow, and times never change their order. */
class EncodingTest {
  private static final Instant FROM = Instant.parse("2026-11-20T00:00:00Z");
  private static final Instant TO = Instant.parse("2026-11-21T00:00:00Z");
  private static final ChangeWindow DAY = new ChangeWindow(FROM, TO, TO);
  private static final long SEED = 53;

  /** The encodings, in the arithmetic that programs use. */
  enum Recipe {
    FRACTION(new TimeFraction(), 1) {
      @Override
      double write(long points, Instant at) {
        return points + 1 - at.toEpochMilli() / 1e13;
      }
    },
    FRACTION_FIRST(new TimeFraction(), 1) {
      @Override
      double write(long points, Instant at) {
        return points + (1 - at.toEpochMilli() / 1e13);
      }
    },
    SHIFTED(new TicksLeft(TicksLeft.Unit.MILLIS, 41), 1) {
      @Override
      double write(long points, Instant at) {
        return (double) (points << 41 | TO.toEpochMilli() - at.toEpochMilli());
      }
    },
    MULTIPLIED(new TicksLeft(TicksLeft.Unit.SECONDS, 27), 1000) {
      @Override
      double write(long points, Instant at) {
        return points * 134_217_728.0 + Duration.between(at, TO).toSeconds();
      }
    },
    DECIMALS(new DecimalSeconds(5), 1000) {
      @Override
      double write(long points, Instant at) {
        return Double.parseDouble(
            "%d.%05d".formatted(points, Duration.between(at, TO).toSeconds()));
      }
    },
    APPENDED(new AppendedSeconds(5), 1000) {
      @Override
      double write(long points, Instant at) {
        return Double.parseDouble("%d%05d".formatted(points, Duration.between(at, TO).toSeconds()));
      }
    };

    final Encoding encoding;
    final long tickMillis;

    Recipe(Encoding encoding, long tickMillis) {
      this.encoding = encoding;
      this.tickMillis = tickMillis;
    }

    abstract double write(long points, Instant at);

    DecodedScore read(double score) {
      return encoding.decode(score, DAY);
    }

    /** Times on ticks: both ends of the day, and random ones. */
    LongStream times() {
      long ticks = Duration.between(FROM, TO).toMillis() / tickMillis;
      var others = new Random(SEED).longs(2_000, 0, ticks);
      return LongStream.concat(LongStream.of(0, 1, ticks - 1, ticks), others)
          .map(tick -> FROM.toEpochMilli() + tick * tickMillis);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FRACTION, 511",
    "FRACTION_FIRST, 511",
    "SHIFTED, 4095",
    "MULTIPLIED, 67108863",
    "DECIMALS, 68719476735",
    "APPENDED, 90071992546"
  })
  void ticksAreDecodedExactlyUpToTheStatedPointsAndCollideAboveThem(Recipe recipe, long exact) {
    assertThat(recipe.encoding.exactPoints()).isEqualTo(exact);
    for (long points : new long[] {0, 1, 2, exact / 3, exact - 1, exact}) {
      recipe
          .times()
          .mapToObj(Instant::ofEpochMilli)
          .forEach(
              at ->
                  assertThat(recipe.read(recipe.write(points, at)))
                      .isEqualTo(new DecodedScore(points, at)));
    }
    assertThat(recipe.times().filter(at -> collides(recipe, exact + 1, at))).isNotEmpty();
  }

  private static boolean collides(Recipe recipe, long points, long millis) {
    Instant at = Instant.ofEpochMilli(millis);
    Instant next = at.plusMillis(recipe.tickMillis);
    return next.isBefore(TO) && recipe.write(points, at) == recipe.write(points, next);
  }

  @ParameterizedTest
  @EnumSource
  void pointsAreAlwaysExactAndTheOrderOfTimesIsNeverReversed(Recipe recipe) {
    var random = new Random(SEED);
    long[] times = recipe.times().sorted().toArray();
    for (int bits = 0; bits < 22; bits++) {
      long points = (1L << bits) + random.nextLong(1L << bits) - (bits == 0 ? 1 : 0);
      DecodedScore before = null;
      for (long millis : times) {
        DecodedScore read = recipe.read(recipe.write(points, Instant.ofEpochMilli(millis)));
        assertThat(read.points()).isEqualTo(points);
        if (before != null && before.reachedAt() != null) {
          assertThat(read.reachedAt()).isAfterOrEqualTo(before.reachedAt());
        }
        before = read;
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FRACTION, 100000, 146",
    "SHIFTED, 100000, 32",
    "SHIFTED, 2100000, 1024",
    "MULTIPLIED, 134217728, 2000"
  })
  void aboveThatTheErrorOfTheTimeIsAtMostOneStepOfTheDouble(
      Recipe recipe, long points, long millis) {
    recipe
        .times()
        .mapToObj(Instant::ofEpochMilli)
        .forEach(
            at ->
                assertThat(recipe.read(recipe.write(points, at)).reachedAt())
                    .isBetween(at.minusMillis(millis), at.plusMillis(millis)));
  }

  @ParameterizedTest
  @EnumSource(names = {"FRACTION", "SHIFTED", "MULTIPLIED"})
  void aScoreRemainsDecodableAfterManyAdditions(Recipe recipe) {
    Instant at = FROM.plusSeconds(1);
    double one = recipe.write(1, at) - recipe.write(0, at);
    for (long step : new long[] {1, 1_000, 3_000}) {
      double score = recipe.write(0, at);
      for (int times = 1; times <= 1_000; times++) {
        score += step * one;
        assertThat(recipe.read(score).points()).isEqualTo(times * step);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NaN, not a finite number",
    "Infinity, not a finite number",
    "-Infinity, not a finite number",
    "-1, negative",
    "-0.5, ''", // negative, or no whole number
    "-2199023255552, negative", // what Java makes of 4,194,304 << 41, and more
    "-17, negative", // what '|' makes of any points and 17 ms too late
    "1e300, ''"
  })
  void scoresThatNoEncodingProducesAreRefused(double score, String why) {
    for (Recipe recipe : Recipe.values()) {
      assertRefused(recipe.encoding, score, why);
    }
    assertRefused(new PlainPoints(), score, why);
    assertRefused(new SharedRank(), score, why);
  }

  @ParameterizedTest
  @CsvSource({
    "FRACTION, 100, outside of the period", // plain points
    "FRACTION, 2251799813685249, past 2^51",
    "SHIFTED, 172800000, outside of the period", // plain points, and many
    "SHIFTED, 100.5, not a whole number",
    "SHIFTED, 4398046511103, outside of the period", // 2 points and a millisecond too late, by '+'
    "MULTIPLIED, 134304129, outside of the period", // a second before the day
    "MULTIPLIED, 0.5, not a whole number",
    "DECIMALS, 7.86401, outside of the period",
    "DECIMALS, 7.9, outside of the period", // nine seconds left, without its zeros
    "DECIMALS, 7.123456, more than 5 decimals"
  })
  void scoresThatTheEncodingCannotHaveProducedAreRefused(Recipe recipe, double score, String why) {
    assertRefused(recipe.encoding, score, why);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "-0.0, 0", "12, 12", "9007199254740991, 9007199254740991"})
  void plainPointsAreDecodedUnchanged(double score, long points) {
    assertThat(new PlainPoints().decode(score, DAY)).isEqualTo(new DecodedScore(points, null));
    assertThat(new SharedRank().decode(score, DAY)).isEqualTo(new DecodedScore(points, null));
  }

  @ParameterizedTest
  @CsvSource({"9007199254740992, more points than", "0.1, not a whole number"})
  void plainPointsMustBeWholeAndExact(double score, String why) {
    assertRefused(new PlainPoints(), score, why);
  }

  private static void assertRefused(Encoding encoding, double score, String why) {
    assertThatThrownBy(() -> encoding.decode(score, DAY))
        .as("%s of %s", score, encoding)
        .isInstanceOf(UndecodableScore.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource({
    "1000009.9999999999, 0, 1000010",
    "64108.999999999993, 0, 64109",
    "0.9999999999999999, 1, 10",
    "97.555, 3, 97555",
    "-0.0, 0, 0",
    "1000000000000.01, 2, 100000000000001",
    "35184372088831.99, 2, 3518437208883199",
  })
  void theErrorOfASumIsRoundedOff(double score, int decimals, long points) {
    assertThat(new PlainPoints(decimals, BelowZero.REFUSE).decode(score, DAY))
        .isEqualTo(new DecodedScore(points, null));
  }

  @ParameterizedTest
  @CsvSource({
    "7.5, 0, is not a whole number",
    "7.002, 0, is not a whole number",
    "97.555, 2, has more than 2 decimals",
    "-0.01, 2, is negative",
    "9007199254740991, 1, is too large for 1 decimal",
    "Infinity, 2, is not a finite number",
  })
  void aScoreWithOtherDecimalsIsRefused(double score, int decimals, String why) {
    assertRefused(new PlainPoints(decimals, BelowZero.REFUSE), score, why);
  }
}

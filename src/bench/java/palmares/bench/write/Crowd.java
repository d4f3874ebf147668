package palmares.bench.write;

import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Members of whom few do much and most do little.
 *
 * @param seed what their deeds are drawn from
 * @param members how many they are; at least 1
 */
record Crowd(long seed, int members) {
  private static final int MOST_POINTS = 10;

  /** Deed {@code number} of all; the same whoever asks, in whatever process. */
  Deed deed(long number) {
    var random = new SplittableRandom(seed * 0x9E37_79B9_7F4A_7C15L + number);
    double share = random.nextDouble();
    return new Deed(
        new UUID(random.nextLong(), number).toString(),
        "member-" + (int) (members * share * share * share),
        1 + random.nextInt(MOST_POINTS));
  }
}

package palmares.testing;

import java.util.stream.LongStream;

/**
 * The seeds that a law is tried with. {@code -Dtests.seeds=60} tries each law with sixty of them,
 * without it with a few.
 */
public final class Seeds {
  private Seeds() {}

  /**
   * @param few how many the whole suite has time for
   */
  public static LongStream from1To(int few) {
    return LongStream.rangeClosed(1, Integer.getInteger("tests.seeds", few));
  }
}

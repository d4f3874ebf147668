package palmares.platform.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Converts times to whole microseconds, the finest unit that all stores can represent. */
public final class Microseconds {
  private Microseconds() {}

  /** Microseconds since the epoch, truncated. */
  public static long micros(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
  }

  /** Microseconds of the duration, truncated. */
  public static long micros(Duration duration) {
    return duration.truncatedTo(ChronoUnit.MICROS).dividedBy(ChronoUnit.MICROS.getDuration());
  }

  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}

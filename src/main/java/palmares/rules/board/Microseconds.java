package palmares.rules.board;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Converts times to whole microseconds, the finest unit that all stores can represent. */
public final class Microseconds {
  private Microseconds() {}

  /** Microseconds since the epoch, truncated. */
  public static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time.truncatedTo(ChronoUnit.MICROS));
  }

  /** Microseconds of the duration, truncated. */
  public static long micros(Duration duration) {
    return duration.truncatedTo(ChronoUnit.MICROS).dividedBy(ChronoUnit.MICROS.getDuration());
  }

  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}

package palmares.rules.board;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as whole microseconds since the epoch, the finest time that every part can hold. */
public final class Microseconds {
  private Microseconds() {}

  /** Microseconds since the epoch; finer parts are cut. */
  public static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time.truncatedTo(ChronoUnit.MICROS));
  }

  /** Whole microseconds of the duration; finer parts are cut. */
  public static long micros(Duration duration) {
    return duration.truncatedTo(ChronoUnit.MICROS).dividedBy(ChronoUnit.MICROS.getDuration());
  }

  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}

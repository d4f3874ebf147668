package palmares.rules.board;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** How finely a board tells times apart when points are equal; finer parts of a time are cut. */
public enum TimeResolution {
  MICROSECOND(1),
  MILLISECOND(1_000),
  SECOND(1_000_000),
  MINUTE(60_000_000);

  private final long micros;

  TimeResolution(long micros) {
    this.micros = micros;
  }

  /** The length of one tick, in microseconds. */
  public long micros() {
    return micros;
  }

  /** The tick that the instant falls in, counted from the epoch; negative before 1970. */
  public long tick(Instant time) {
    return Math.floorDiv(Microseconds.micros(time), micros);
  }

  /** The beginning of a tick. */
  public Instant instant(long tick) {
    return Microseconds.instant(Math.multiplyExact(tick, micros));
  }

  /** How many ticks cover the duration, rounded up. */
  public long ticks(Duration duration) {
    return -Math.floorDiv(-Microseconds.micros(duration), micros);
  }

  /** The name as board files spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

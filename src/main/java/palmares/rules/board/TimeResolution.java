package palmares.rules.board;

import java.time.Duration;
import java.time.Instant;
import palmares.platform.text.Choice;
import palmares.platform.time.Microseconds;

/** The resolution to which a board truncates the times that break ties. */
public enum TimeResolution implements Choice {
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

  /** The number of the instant's tick since the epoch; negative before 1970. */
  public long tick(Instant time) {
    return Math.floorDiv(Microseconds.micros(time), micros);
  }

  /** The start of a tick. */
  public Instant instant(long tick) {
    return Microseconds.instant(Math.multiplyExact(tick, micros));
  }

  /** The number of ticks that cover the duration, rounded up. */
  public long ticks(Duration duration) {
    return -Math.floorDiv(-Microseconds.micros(duration), micros);
  }
}

package palmares.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The database server's clock, so that all nodes agree on what is due whatever their own say. Asks
 * the server every few seconds only, and keeps to the machine's pace in between.
 */
public final class DatabaseClock extends Clock {
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final JdbcClient jdbc;
  private final Clock machine;
  private volatile @Nullable Reading reading;

  public DatabaseClock(JdbcClient jdbc, Clock machine) {
    this.jdbc = jdbc;
    this.machine = machine;
  }

  /** How far the server was ahead of the machine, and when, by the machine, that was seen. */
  private record Reading(Duration ahead, Instant seenAt) {}

  /**
   * @throws DataAccessException if the server has not been reached once yet
   */
  @Override
  public Instant instant() {
    Instant here = machine.instant();
    Reading last = reading;
    if (last == null || Duration.between(last.seenAt(), here).abs().compareTo(FRESH) > 0) {
      last = read(here, last);
    }
    return here.plus(last.ahead());
  }

  private Reading read(Instant here, @Nullable Reading last) {
    try {
      Instant there =
          jdbc.sql("select clock_timestamp()").query(OffsetDateTime.class).single().toInstant();
      var now = new Reading(Duration.between(here, there), here);
      reading = now;
      return now;
    } catch (DataAccessException e) {
      if (last == null) {
        throw e;
      }
      return last;
    }
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("the database's clock is asked for instants only");
  }
}

package palmares.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The database server's clock, so that all nodes agree on what is due whatever their own say. Asks
 * the server every few seconds only, and keeps to the machine's pace in between and while the
 * server does not answer. Never ahead of the server, by however long an answer took.
 */
public final class DatabaseClock extends Clock {
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final JdbcClient jdbc;
  private final Clock machine;
  private final AtomicReference<@Nullable Reading> reading = new AtomicReference<>();

  public DatabaseClock(JdbcClient jdbc, Clock machine) {
    this.jdbc = jdbc;
    this.machine = machine;
  }

  /** How far the server was ahead of the machine, and when, by the machine, that was seen. */
  private record Reading(Duration ahead, Instant seenAt) {
    boolean isFresh(Instant here) {
      return Duration.between(seenAt, here).abs().compareTo(FRESH) <= 0;
    }
  }

  /**
   * @throws DataAccessException if the server has not been reached once yet
   */
  @Override
  public Instant instant() {
    Instant here = machine.instant();
    Reading last = reading.get();
    if (last == null) {
      return now(read());
    }
    // One asks; all others go on with what is known, so that a silent server holds up nobody else.
    if (last.isFresh(here) || !reading.compareAndSet(last, new Reading(last.ahead(), here))) {
      return here.plus(last.ahead());
    }
    try {
      return now(read());
    } catch (DataAccessException e) {
      return now(last);
    }
  }

  private Instant now(Reading last) {
    return machine.instant().plus(last.ahead());
  }

  private Reading read() {
    Instant there =
        jdbc.sql("select clock_timestamp()").query(OffsetDateTime.class).single().toInstant();
    Instant here = machine.instant();
    var fresh = new Reading(Duration.between(here, there), here);
    reading.set(fresh);
    return fresh;
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

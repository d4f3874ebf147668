package palmares.platform.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Reads the database server's clock, so that all nodes agree on what is due. It is read every few
 * seconds; in between, and during an outage, elapsed time is added.
 *
 * <p>The machine's clock, which may be wrong or changed, is not used. This clock is never ahead of
 * the server's, but may be behind it by the duration of a query.
 */
public final class DatabaseClock extends Clock {
  private static final long REFRESH_INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();

  private final JdbcClient jdbc;
  private final LongSupplier nanos;
  private final AtomicReference<@Nullable Reading> reading = new AtomicReference<>();

  public DatabaseClock(JdbcClient jdbc) {
    this(jdbc, System::nanoTime);
  }

  /**
   * @param nanos a monotonic clock, as {@link System#nanoTime}
   */
  DatabaseClock(JdbcClient jdbc, LongSupplier nanos) {
    this.jdbc = jdbc;
    this.nanos = nanos;
  }

  /**
   * A time read from the server.
   *
   * @param readAt when it was read, by the monotonic clock
   * @param attemptedAt when the last attempt to read it began, by the monotonic clock
   */
  private record Reading(Instant time, long readAt, long attemptedAt) {
    Instant at(long now) {
      return time.plusNanos(now - readAt);
    }
  }

  /**
   * @throws DataAccessException if the server has not answered yet since the start
   */
  @Override
  public Instant instant() {
    long now = nanos.getAsLong();
    Reading last = reading.get();
    if (last == null) {
      return now(read());
    }
    // One thread queries; the others use the last reading, so that an outage blocks only one.
    if (now - last.attemptedAt() <= REFRESH_INTERVAL_NANOS
        || !reading.compareAndSet(last, new Reading(last.time(), last.readAt(), now))) {
      return last.at(now);
    }
    try {
      return now(read());
    } catch (DataAccessException e) {
      return now(last);
    }
  }

  private Instant now(Reading last) {
    return last.at(nanos.getAsLong());
  }

  private Reading read() {
    Instant time =
        jdbc.sql("select clock_timestamp()").query(OffsetDateTime.class).single().toInstant();
    long now = nanos.getAsLong();
    var fresh = new Reading(time, now, now);
    reading.set(fresh);
    return fresh;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("this clock provides instants only");
  }
}

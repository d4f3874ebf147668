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
 * The database server's clock, so that all nodes agree on what is due. Asks the server every few
 * seconds, and counts elapsed time in between and while the server does not answer; never by the
 * machine's clock, which may be wrong and may be set. Never ahead of the server, by however long an
 * answer took.
 */
public final class DatabaseClock extends Clock {
  private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();

  private final JdbcClient jdbc;
  private final LongSupplier nanos;
  private final AtomicReference<@Nullable Reading> reading = new AtomicReference<>();

  public DatabaseClock(JdbcClient jdbc) {
    this(jdbc, System::nanoTime);
  }

  /**
   * @param nanos elapsed time, as {@link System#nanoTime} counts it
   */
  DatabaseClock(JdbcClient jdbc, LongSupplier nanos) {
    this.jdbc = jdbc;
    this.nanos = nanos;
  }

  /** What the server said, when that was by elapsed time, and when it was asked last. */
  private record Reading(Instant said, long saidAt, long askedAt) {
    Instant at(long now) {
      return said.plusNanos(now - saidAt);
    }
  }

  /**
   * @throws DataAccessException if the server has not been reached once yet
   */
  @Override
  public Instant instant() {
    long now = nanos.getAsLong();
    Reading last = reading.get();
    if (last == null) {
      return now(read());
    }
    // One asks; all others go on with what is known, so that a silent server holds up nobody else.
    if (now - last.askedAt() <= FRESH_NANOS
        || !reading.compareAndSet(last, new Reading(last.said(), last.saidAt(), now))) {
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
    Instant said =
        jdbc.sql("select clock_timestamp()").query(OffsetDateTime.class).single().toInstant();
    long now = nanos.getAsLong();
    var fresh = new Reading(said, now, now);
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

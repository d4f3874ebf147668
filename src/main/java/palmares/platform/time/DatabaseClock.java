package palmares.platform.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Reads the database server's clock, so that all nodes agree on what is due. It is read every few
 * seconds; in between, and during an outage, elapsed time is added.
 *
 * <p>The machine's clock, which may be wrong or changed, gives no time. If it has moved otherwise
 * than elapsed time since the last reading, the machine was suspended, or its clock was set: then
 * the server is read at once. This clock is never ahead of the server's, but may be behind it by
 * the duration of a query.
 */
public final class DatabaseClock extends Clock {
  private static final long REFRESH_INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();

  private static final long RETRY_INTERVAL_NANOS = Duration.ofMillis(200).toNanos();

  /** Clocks that are adjusted gradually differ by less within the interval of two readings. */
  private static final Duration MAX_DIVERGENCE = Duration.ofMillis(500);

  private final JdbcClient jdbc;
  private final LongSupplier nanos;
  private final LongSupplier machineMillis;
  private final AtomicReference<@Nullable Reading> reading = new AtomicReference<>();
  private @Nullable FailedReading failed;

  public DatabaseClock(JdbcClient jdbc) {
    this(jdbc, System::nanoTime, System::currentTimeMillis);
  }

  /**
   * @param nanos a monotonic clock, as {@link System#nanoTime}, which may stand still while the
   *     machine is suspended
   * @param machineMillis the machine's clock, as {@link System#currentTimeMillis}
   */
  DatabaseClock(JdbcClient jdbc, LongSupplier nanos, LongSupplier machineMillis) {
    this.jdbc = jdbc;
    this.nanos = nanos;
    this.machineMillis = machineMillis;
  }

  /**
   * A time read from the server.
   *
   * @param readAt when it was read, by the monotonic clock
   * @param machineOffset the machine's clock less the monotonic one, in nanoseconds, at the last
   *     attempt to read it
   * @param attemptedAt when the last attempt to read it began, by the monotonic clock
   */
  private record Reading(Instant time, long readAt, long machineOffset, long attemptedAt) {
    Instant at(long now) {
      return time.plusNanos(now - readAt);
    }

    /** Whether the machine's clock has moved otherwise than the monotonic one. */
    boolean isBeforeJump(long offset) {
      return Math.abs(offset - machineOffset) > MAX_DIVERGENCE.toNanos();
    }

    Reading attempted(long now, long offset) {
      return new Reading(time, readAt, offset, now);
    }
  }

  /** A reading after a jump that failed, and when. */
  private record FailedReading(long at, DataAccessException cause) {}

  /**
   * @throws DataAccessException if the server has not answered yet since the start, or since the
   *     machine was suspended: the time before may be that of an earlier day
   */
  @Override
  public Instant instant() {
    long now = nanos.getAsLong();
    Reading last = reading.get();
    if (last == null) {
      return now(read());
    }
    long offset = machineOffset(now);
    if (last.isBeforeJump(offset)) {
      return now(readAfterJump());
    }
    // One thread queries; the others use the last reading, so that an outage blocks only one.
    if (now - last.attemptedAt() <= REFRESH_INTERVAL_NANOS
        || !reading.compareAndSet(last, last.attempted(now, offset))) {
      return last.at(now);
    }
    return now(readAgain(last));
  }

  private long machineOffset(long now) {
    return machineMillis.getAsLong() * 1_000_000 - now;
  }

  /** All threads wait for the first one that reads: the last reading may be of yesterday. */
  private synchronized Reading readAfterJump() {
    long now = nanos.getAsLong();
    long offset = machineOffset(now);
    Reading last = Objects.requireNonNull(reading.get());
    if (!last.isBeforeJump(offset)) {
      return last;
    }
    FailedReading before = failed;
    if (before != null && now - before.at() < RETRY_INTERVAL_NANOS) {
      throw before.cause(); // Else each call would wait for a server that does not answer.
    }
    try {
      Reading fresh = read();
      failed = null;
      return fresh;
    } catch (DataAccessException e) {
      failed = new FailedReading(nanos.getAsLong(), e);
      throw e;
    }
  }

  /** Returns the last reading if the server does not answer. */
  private Reading readAgain(Reading last) {
    try {
      return read();
    } catch (DataAccessException e) {
      return last;
    }
  }

  private Instant now(Reading last) {
    return last.at(nanos.getAsLong());
  }

  private Reading read() {
    Instant time = jdbc.sql("select clock_timestamp()").query(Instant.class).single();
    long now = nanos.getAsLong();
    var fresh = new Reading(time, now, machineOffset(now), now);
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

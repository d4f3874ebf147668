package palmares.platform.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.testing.PalmaresTest;
import palmares.testing.Switch;

/** The clock follows the server, independently of the machine's clock and through outages. */
@PalmaresTest
class DatabaseClockTest {
  @Autowired private DataSource postgres;

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final AtomicLong machine = new AtomicLong(1_800_000_000_000L);
  private Switch server;
  private Clock clock;

  @BeforeEach
  void createServerThatCanBeSwitchedOff() {
    server = new Switch(postgres);
    clock = new DatabaseClock(JdbcClient.create(server), nanos::get, machine::get);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    machine.addAndGet(time.toMillis());
  }

  @Test
  void itReadsTheTimeOfTheServer() {
    Instant now =
        JdbcClient.create(postgres)
            .sql("select now()")
            .query(OffsetDateTime.class)
            .single()
            .toInstant();
    assertThat(clock.instant()).isBetween(now, now.plusSeconds(60));
  }

  @Test
  void withoutAFirstReadingItThrows() {
    server.off();
    assertThatThrownBy(clock::instant).isInstanceOf(DataAccessException.class);
  }

  /** The clock uses elapsed time only, so changes of the machine's clock cannot affect it. */
  @Test
  void duringAnOutageItAddsElapsedTimeAndRetriesNowAndThen() {
    Instant start = clock.instant();
    server.off();
    for (int minutes = 1; minutes <= 60; minutes++) {
      pass(Duration.ofMinutes(1));
      for (int reads = 0; reads < 100; reads++) {
        assertThat(clock.instant()).isEqualTo(start.plus(Duration.ofMinutes(minutes)));
      }
    }
    assertThat(server.visits()).isEqualTo(1 + 60);
  }

  /** Elapsed time does not advance meanwhile, so the last reading may be of yesterday. */
  @Test
  void afterASuspensionTheServerIsReadBeforeTheNextAnswer() {
    Instant before = clock.instant();
    machine.addAndGet(Duration.ofHours(8).toMillis());
    Instant resumed = clock.instant();
    assertThat(server.visits()).isEqualTo(2);
    assertThat(resumed).as("of the server").isBetween(before, before.plusSeconds(60));
    assertThat(clock.instant()).isEqualTo(resumed);
    assertThat(server.visits()).as("read once").isEqualTo(2);
  }

  @Test
  void afterASuspensionAnOutageIsNoEarlierDay() {
    Instant start = clock.instant();
    server.off();
    machine.addAndGet(Duration.ofHours(8).toMillis());
    for (int reads = 0; reads < 100; reads++) {
      assertThatThrownBy(clock::instant).isInstanceOf(DataAccessException.class);
    }
    assertThat(server.visits()).as("one call in a while waits").isEqualTo(2);
    server.on();
    pass(Duration.ofSeconds(1));
    assertThat(clock.instant()).as("of the server").isBefore(start.plusSeconds(5));
    assertThat(server.visits()).isEqualTo(3);
  }

  @Test
  void driftIsCorrectedWithinSeconds() {
    Instant start = clock.instant();
    pass(Duration.ofSeconds(5));
    assertThat(clock.instant()).as("not read again").isEqualTo(start.plusSeconds(5));
    pass(Duration.ofDays(1));
    assertThat(clock.instant()).as("read again").isBefore(start.plusSeconds(3600));
    assertThat(server.visits()).isEqualTo(2);
  }
}

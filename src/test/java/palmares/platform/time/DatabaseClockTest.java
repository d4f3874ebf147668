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

/** The server's time, whatever the machine's clock says and while the server is silent. */
@PalmaresTest
class DatabaseClockTest {
  @Autowired private DataSource postgres;

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private Switch server;
  private Clock clock;

  @BeforeEach
  void aServerThatCanBeSwitchedOff() {
    server = new Switch(postgres);
    clock = new DatabaseClock(JdbcClient.create(server), nanos::get);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void itIsTheServersTime() {
    Instant said =
        JdbcClient.create(postgres)
            .sql("select now()")
            .query(OffsetDateTime.class)
            .single()
            .toInstant();
    assertThat(clock.instant()).isBetween(said, said.plusSeconds(60));
  }

  @Test
  void withoutAServerFromTheStartThereIsNoTime() {
    server.off();
    assertThatThrownBy(clock::instant).isInstanceOf(DataAccessException.class);
  }

  /** It knows elapsed time only: where the machine's clock steps, nothing that it asks does. */
  @Test
  void itGoesOnByElapsedTimeWhileTheServerIsSilentAndAsksItNowAndThen() {
    Instant start = clock.instant();
    server.off();
    for (int minutes = 1; minutes <= 60; minutes++) {
      pass(Duration.ofMinutes(1));
      for (int questions = 0; questions < 100; questions++) {
        assertThat(clock.instant()).isEqualTo(start.plus(Duration.ofMinutes(minutes)));
      }
    }
    assertThat(server.visits()).isEqualTo(1 + 60);
  }

  @Test
  void whatHasDriftedIsPutRightByTheServerWithinSeconds() {
    Instant start = clock.instant();
    pass(Duration.ofSeconds(5));
    assertThat(clock.instant()).as("not asked again").isEqualTo(start.plusSeconds(5));
    pass(Duration.ofDays(1));
    assertThat(clock.instant()).as("asked again").isBefore(start.plusSeconds(3600));
    assertThat(server.visits()).isEqualTo(2);
  }
}

package palmares.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.testing.PalmaresTest;
import palmares.testing.Switch;

/** The server's time, which neither a wrong machine nor a silent server takes away. */
@PalmaresTest
class DatabaseClockTest {
  private static final Instant WRONG = Instant.parse("1999-12-31T00:00:00Z");

  @Autowired private DataSource postgres;

  private final SettableClock machine = new SettableClock(WRONG);
  private Switch server;
  private Clock clock;

  @BeforeEach
  void aServerThatCanBeSwitchedOff() {
    server = new Switch(postgres);
    clock = new DatabaseClock(JdbcClient.create(server), machine);
  }

  @Test
  void itIsTheServersTimeWhateverTheMachineThinks() {
    assertThat(clock.instant()).isAfter(Instant.parse("2026-01-01T00:00:00Z"));
  }

  @Test
  void withoutAServerFromTheStartThereIsNoTime() {
    server.off();
    assertThatThrownBy(clock::instant).isInstanceOf(DataAccessException.class);
  }

  @Test
  void itGoesOnAtTheMachinesPaceWhileTheServerIsSilentAndAsksItNowAndThen() {
    Instant start = clock.instant();
    server.off();
    for (int minutes = 1; minutes <= 60; minutes++) {
      machine.advance(Duration.ofMinutes(1));
      for (int questions = 0; questions < 100; questions++) {
        assertThat(clock.instant()).isEqualTo(start.plus(Duration.ofMinutes(minutes)));
      }
    }
    assertThat(server.visits()).isEqualTo(1 + 60);
  }
}

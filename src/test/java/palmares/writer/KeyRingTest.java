package palmares.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.http.ProblemException;
import palmares.testing.Switch;
import palmares.testing.World;
import palmares.testing.WorldTest;
import palmares.time.SettableClock;

/** A key that is known goes on while PostgreSQL is silent, and ends soon after it is revoked. */
@WorldTest
class KeyRingTest {
  @Autowired private DataSource postgres;
  @Autowired private World world;
  @Autowired private SettableClock clock;

  private Switch server;
  private ApiKeys keys;
  private KeyRing ring;
  private String key;

  @BeforeEach
  void aKeyThatWasUsedOnce() {
    server = new Switch(postgres);
    keys = new ApiKeys(JdbcClient.create(server), clock);
    ring = new KeyRing(keys, clock);
    key = "Bearer " + keys.create("ring", Set.of());
    ring.require(key);
  }

  @Test
  void aKnownKeyGoesOnForAsLongAsNobodyCanBeAskedAndFewAsk() {
    server.off();
    int before = server.visits();
    for (int minutes = 1; minutes <= 60; minutes++) {
      world.pass(Duration.ofMinutes(1));
      for (int requests = 0; requests < 100; requests++) {
        assertThat(ring.require(key).name()).isEqualTo("ring");
      }
    }
    assertThat(server.visits() - before).isEqualTo(60);
  }

  @Test
  void aKeyThatIsNotKnownYetHasToWait() {
    server.off();
    assertThatThrownBy(() -> ring.require("Bearer unknown"))
        .isInstanceOf(DataAccessException.class);
  }

  @Test
  void aRevokedKeyEndsWithinHalfAMinuteAfterPostgresIsBack() {
    server.off();
    world.pass(Duration.ofHours(1));
    ring.require(key);
    server.on();
    keys.revoke(keys.all().get(0).id());
    world.pass(Duration.ofSeconds(30));
    assertThatThrownBy(() -> ring.require(key)).isInstanceOf(ProblemException.class);
  }
}

package palmares.api.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.api.http.ProblemException;
import palmares.platform.time.SettableClock;
import palmares.testing.Switch;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A valid key works while PostgreSQL does not answer, and stops soon after it is revoked. */
@WorldTest
class ApiKeyCheckTest {
  private static final String HERE = "192.0.2.1";
  private static final String ELSEWHERE = "192.0.2.2";

  @Autowired private DataSource postgres;
  @Autowired private World world;
  @Autowired private SettableClock clock;

  private Switch server;
  private ApiKeys keys;
  private ApiKeyCheck check;
  private String key;

  @BeforeEach
  void createAKeyAndUseIt() {
    server = new Switch(postgres);
    keys = new ApiKeys(JdbcClient.create(server), clock);
    check = new ApiKeyCheck(keys, clock);
    key = "Bearer " + keys.create("ring", Set.of());
    check.require(key, HERE);
  }

  @Test
  void aCachedKeyStaysValidDuringAnOutageAndIsLookedUpOnceAMinute() {
    server.off();
    int before = server.visits();
    for (int minutes = 1; minutes <= 60; minutes++) {
      world.pass(Duration.ofMinutes(1));
      for (int requests = 0; requests < 100; requests++) {
        assertThat(check.require(key, HERE).name()).isEqualTo("ring");
      }
    }
    assertThat(server.visits() - before).isEqualTo(60);
  }

  @Test
  void anUncachedKeyFailsDuringAnOutage() {
    server.off();
    assertThatThrownBy(() -> check.require("Bearer unknown", HERE))
        .isInstanceOf(DataAccessException.class);
  }

  @Test
  void aRevokedKeyIsRefusedWithin30SecondsAfterTheOutage() {
    server.off();
    world.pass(Duration.ofHours(1));
    check.require(key, HERE);
    server.on();
    keys.revoke(keys.all().get(0).id());
    world.pass(Duration.ofSeconds(30));
    assertThatThrownBy(() -> check.require(key, HERE)).isInstanceOf(ProblemException.class);
  }

  @Test
  void theNameOfTheSchemeIgnoresCase() {
    for (String scheme : List.of("bearer ", "BEARER ", "BeArEr ")) {
      String header = scheme + key.substring("Bearer ".length());
      assertThat(check.require(header, HERE).name()).isEqualTo("ring");
    }
    assertRefused("Basic " + key, HERE, 401);
  }

  @Test
  void aWrongKeyIsLookedUpOnceInFiveSeconds() {
    int before = server.visits();
    for (int i = 0; i < 100; i++) {
      assertRefused("Bearer wrong", HERE, 401);
    }
    assertThat(server.visits() - before).isEqualTo(1);
    world.pass(Duration.ofSeconds(5));
    assertRefused("Bearer wrong", HERE, 401);
    assertThat(server.visits() - before).isEqualTo(2);
  }

  @Test
  void aKeyThatIsCreatedAfterItWasTriedWorksAfterFiveSeconds() {
    String made = "Bearer " + keys.create("soon", Set.of());
    String hash = ApiKeys.hash(made.substring("Bearer ".length()));
    postgres("update api_key set hash = repeat('0', 64) where hash = ?", hash);
    assertRefused(made, HERE, 401);
    postgres("update api_key set hash = ? where hash = repeat('0', 64)", hash);
    world.pass(Duration.ofSeconds(5));
    assertThat(check.require(made, HERE).name()).isEqualTo("soon");
  }

  @Test
  void guessingIsLimitedForTheAddressThatGuessesOnly() {
    int before = server.visits();
    for (int i = 0; i < 20; i++) {
      assertRefused("Bearer guess" + i, HERE, 401);
    }
    for (int i = 20; i < 1_000; i++) {
      assertRefused("Bearer guess" + i, HERE, 429);
    }
    assertThat(server.visits() - before).isEqualTo(20);
    assertThat(check.require(key, HERE).name()).isEqualTo("ring");
    String fresh = "Bearer " + keys.create("fresh", Set.of());
    assertThat(check.require(fresh, ELSEWHERE).name()).isEqualTo("fresh");
    assertRefused("Bearer another", HERE, 429);
    world.pass(Duration.ofSeconds(10));
    assertRefused("Bearer another", HERE, 401);
  }

  private void postgres(String sql, String hash) {
    assertThat(JdbcClient.create(postgres).sql(sql).param(hash).update()).isEqualTo(1);
  }

  private void assertRefused(String header, String address, int status) {
    assertThatThrownBy(() -> check.require(header, address))
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.status().value()).isEqualTo(status));
  }
}

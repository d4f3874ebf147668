package palmares.api.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Problem;
import palmares.platform.sql.TypedJdbcClient;
import palmares.platform.threads.Loops;
import palmares.platform.time.SettableClock;
import palmares.testing.Switch;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A valid key works while PostgreSQL does not answer, and stops once it is revoked or expires. */
@WorldTest
class ApiKeyCheckTest {
  private static final String HERE = "192.0.2.1";
  private static final String ELSEWHERE = "192.0.2.2";

  @Autowired private DataSource postgres;
  @Autowired private World world;
  @Autowired private SettableClock clock;
  @Autowired private AuditLog auditLog;
  @Autowired private ApiKeys keys;
  private Switch server;
  private ApiKeyCheck check;
  private String key;

  @BeforeEach
  void createAKeyAndUseIt() {
    server = new Switch(postgres);
    check =
        new ApiKeyCheck(
            new ApiKeys(
                new TypedJdbcClient(new JdbcTemplate(server)), clock, auditLog, event -> {}),
            clock);
    key = create("ring", null);
    caller(check, key, HERE);
  }

  private static Caller caller(ApiKeyCheck check, String secret, String address) {
    return (Caller) Objects.requireNonNull(check.authenticate(secret, address).getPrincipal());
  }

  private String create(String name, @Nullable Duration validFor) {
    return keys.create(new NewKey(name, Set.of(Role.WRITER), Set.of(), validFor), "ann", "test");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCachedKeyStaysValidDuringAnOutageAndIsLookedUpOnceAMinute(boolean announced) {
    check.setAnnounced(announced);
    caller(check, key, HERE);
    server.off();
    int before = server.visits();
    for (int minutes = 1; minutes <= 60; minutes++) {
      world.pass(Duration.ofMinutes(1));
      for (int requests = 0; requests < 100; requests++) {
        assertThat(caller(check, key, HERE).name()).isEqualTo("key:ring");
      }
    }
    assertThat(server.visits() - before).isEqualTo(60);
  }

  @Test
  @Timeout(60)
  void aRequestDoesNotWaitForAPostgresThatDoesNotConfirmItsKey(
      @Autowired TransactionTemplate transaction) {
    world.pass(Duration.ofSeconds(2));
    long began = System.nanoTime();
    transaction.executeWithoutResult(
        status -> {
          JdbcClient.create(postgres).sql("lock table api_key in access exclusive mode").update();
          for (int requests = 0; requests < 3; requests++) {
            assertThat(caller(check, key, HERE).name()).isEqualTo("key:ring");
            world.pass(Duration.ofSeconds(2));
          }
        });
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
    keys.revoke("ring", "ann", "test");
    await()
        .untilAsserted(
            () -> {
              world.pass(Duration.ofSeconds(2));
              assertRefused(key, HERE, 401);
            });
  }

  @Test
  void aKeyExpiresAtItsTimeEvenDuringAnOutage() {
    String day = create("day", Duration.ofDays(1));
    caller(check, day, HERE);
    world.pass(Duration.ofDays(1).minusMillis(1));
    caller(check, day, HERE);
    server.off();
    world.pass(Duration.ofMillis(1));
    assertRefused(day, HERE, 401);
  }

  @Test
  void anUncachedKeyFailsDuringAnOutage() {
    server.off();
    assertThatThrownBy(() -> caller(check, "unknown", HERE))
        .isInstanceOf(DataAccessException.class);
  }

  @Test
  void aRevokedKeyIsRefusedASecondAfterChangesWereAnnouncedLast() {
    check.setAnnounced(true);
    caller(check, key, HERE);
    keys.revoke("ring", "ann", "test");
    world.pass(Duration.ofSeconds(5));
    assertThat(check.isAnnounced()).isFalse();
    assertRefused(key, HERE, 401);
  }

  /** A pooler in transaction mode takes LISTEN, and lends its session to others. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void changesAreAnnouncedOnlyIfTheListenerHearsItself(boolean hears) {
    var deaf = new Deaf(postgres, hears);
    var changes =
        new KeyChanges(
            deaf,
            check,
            new Loops(new SimpleMeterRegistry(), new Loops.Settings(Duration.ofSeconds(30))),
            true);
    changes.start();
    try {
      await().until(() -> deaf.sent() >= 2);
      if (hears) {
        await().until(check::isAnnounced);
      } else {
        assertThat(check.isAnnounced()).isFalse();
      }
    } finally {
      changes.stop();
    }
    assertThat(check.isAnnounced()).isFalse();
  }

  /** Connections of which none listens, if it must not; counts notifications that are sent. */
  private static final class Deaf extends DelegatingDataSource {
    private final boolean hears;
    private final AtomicInteger sent = new AtomicInteger();

    Deaf(DataSource postgres, boolean hears) {
      super(postgres);
      this.hears = hears;
    }

    int sent() {
      return sent.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      return (Connection)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("prepareStatement")) {
                  sent.incrementAndGet();
                }
                Object result =
                    AopUtils.invokeJoinpointUsingReflection(connection, method, arguments);
                if (method.getName().equals("createStatement") && !hears) {
                  ((Statement) Objects.requireNonNull(result)).execute("unlisten *");
                  return listensToNothing();
                }
                return result;
              });
    }

    private static Statement listensToNothing() {
      return (Statement)
          Proxy.newProxyInstance(
              Deaf.class.getClassLoader(),
              new Class<?>[] {Statement.class},
              (proxy, method, arguments) -> method.getReturnType() == boolean.class ? false : null);
    }
  }

  @Test
  void aRevokedKeyIsRefusedOnceTheChangeIsAnnounced() {
    check.setAnnounced(true);
    caller(check, key, HERE);
    keys.revoke("ring", "ann", "test");
    world.pass(Duration.ofSeconds(4));
    caller(check, key, HERE);
    check.noteChange();
    assertRefused(key, HERE, 401);
  }

  /** Streams ask this at each heartbeat. */
  @Test
  void aKeyThatWasValidIsUntilAChangeIsAnnouncedOrItExpires() {
    check.setAnnounced(true);
    String day = create("day", Duration.ofDays(1));
    caller(check, key, HERE);
    caller(check, day, HERE);
    int before = server.visits();
    world.pass(Duration.ofHours(23));
    assertThat(check.isStillValid(key, HERE)).isTrue();
    assertThat(check.isStillValid(day, HERE)).isTrue();
    assertThat(server.visits()).isEqualTo(before);
    world.pass(Duration.ofHours(1));
    assertThat(check.isStillValid(day, HERE)).isFalse();
    keys.revoke("ring", "ann", "test");
    server.off();
    check.noteChange();
    assertThat(check.isStillValid(key, HERE)).isTrue();
    server.on();
    assertThat(check.isStillValid(key, HERE)).isFalse();
  }

  @Test
  void withoutAnnouncementsARevokedKeyIsRefusedWithinASecond() {
    server.off();
    world.pass(Duration.ofHours(1));
    caller(check, key, HERE);
    server.on();
    keys.revoke("ring", "ann", "test");
    world.pass(Duration.ofSeconds(1));
    assertRefused(key, HERE, 401);
  }

  /** Who was answered that a key is revoked may rely on it. */
  @Test
  void theProcessThatRevokesAKeyRefusesItFromThenOn(@Autowired ApiKeyCheck own) {
    for (int i = 0; i < 20; i++) {
      String secret = create("ring " + i, Duration.ofDays(1));
      caller(own, secret, HERE);
      keys.revoke("ring " + i, "ann", "test");
      assertThatThrownBy(() -> caller(own, secret, HERE)).isInstanceOf(SignInFailed.class);
    }
  }

  @Test
  void everyProcessHearsOfARevocation(
      @Autowired ApiKeyCheck listening, @Autowired JdbcClient another) {
    caller(listening, key, HERE);
    long before = listening.changes();
    another.sql("update api_secret set revoked_at = created_at where key = 'ring'").update();
    await().until(() -> listening.changes() > before);
    assertThatThrownBy(() -> caller(listening, key, HERE)).isInstanceOf(SignInFailed.class);
  }

  @Test
  void bothSecretsAreValidDuringTheOverlapOfARotation() {
    String fresh = keys.rotate("ring", Duration.ofHours(1), null, "ann", "test");
    check.noteChange();
    assertThat(caller(check, key, HERE)).isEqualTo(caller(check, fresh, HERE));
    world.pass(Duration.ofHours(1));
    assertRefused(key, HERE, 401);
    assertThat(caller(check, fresh, HERE).name()).isEqualTo("key:ring");
    String last = keys.rotate("ring", Duration.ZERO, null, "ann", "test");
    check.noteChange();
    assertRefused(fresh, HERE, 401);
    caller(check, last, HERE);
  }

  @Test
  void aRotationThatIsRepeatedLeavesTwoSecrets() {
    world.pass(Duration.ofSeconds(1));
    String second = keys.rotate("ring", Duration.ofHours(1), null, "ann", "test");
    world.pass(Duration.ofSeconds(1));
    String third = keys.rotate("ring", Duration.ofHours(1), null, "ann", "test");
    check.noteChange();
    assertRefused(key, HERE, 401);
    assertThat(caller(check, second, HERE)).isEqualTo(caller(check, third, HERE));
  }

  @Test
  void aNameIsGivenOnceSoThatAKeyKeepsItsOwner() {
    keys.revoke("ring", "ann", "test");
    for (String name : List.of("ring", "RING")) {
      assertThatThrownBy(
              () ->
                  keys.create(
                      new NewKey(name, Set.of(Role.WRITER), Set.of(), null), "local:bob", "test"))
          .hasFieldOrPropertyWithValue("problem", Problem.ACCOUNT_REFUSED);
    }
    assertThat(keys.all()).extracting(ApiKey::owner).containsExactly("ann");
  }

  @Test
  void aWrongKeyIsLookedUpOnceInFiveSeconds() {
    int before = server.visits();
    for (int i = 0; i < 100; i++) {
      assertRefused("wrong", HERE, 401);
    }
    assertThat(server.visits() - before).isEqualTo(1);
    world.pass(Duration.ofSeconds(5));
    assertRefused("wrong", HERE, 401);
    assertThat(server.visits() - before).isEqualTo(2);
  }

  @Test
  void aKeyThatIsCreatedAfterItWasTriedWorksAfterFiveSeconds() {
    String made = create("soon", null);
    String hash = ApiKeys.hash(made);
    postgres("update api_secret set hash = repeat('0', 64) where hash = ?", hash);
    assertRefused(made, HERE, 401);
    postgres("update api_secret set hash = ? where hash = repeat('0', 64)", hash);
    world.pass(Duration.ofSeconds(5));
    assertThat(caller(check, made, HERE).name()).isEqualTo("key:soon");
  }

  @Test
  void guessingIsLimitedForTheAddressThatGuessesOnly() {
    int before = server.visits();
    for (int i = 0; i < 20; i++) {
      assertRefused("guess" + i, HERE, 401);
    }
    for (int i = 20; i < 1_000; i++) {
      assertRefused("guess" + i, HERE, 429);
    }
    assertThat(server.visits() - before).as("and one reads all that are valid").isEqualTo(21);
    assertThat(caller(check, key, HERE).name()).isEqualTo("key:ring");
    String fresh = create("fresh", null);
    assertThat(caller(check, fresh, ELSEWHERE).name()).isEqualTo("key:fresh");
    assertRefused("another", HERE, 429);
    world.pass(Duration.ofSeconds(10));
    assertRefused("another", HERE, 401);
  }

  private void guess() {
    for (int i = 0; i < 20; i++) {
      assertRefused("guess" + i, HERE, 401);
    }
    assertRefused("guess20", HERE, 429);
  }

  /** As behind a proxy, after a restart: everybody has one address, and no key is cached. */
  @Test
  void validKeysThatThisProcessHasNotSeenWorkWhileOthersOfTheirAddressGuess() {
    List<String> unseen = IntStream.range(0, 50).mapToObj(n -> create("app" + n, null)).toList();
    guess();
    int before = server.visits();
    for (String secret : unseen) {
      assertThat(caller(check, secret, HERE).name()).startsWith("key:app");
      assertRefused("guess like " + secret, HERE, 429);
    }
    assertThat(server.visits() - before).as("one for each key").isEqualTo(50);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aKeyThatIsCreatedOrRevokedWhileOthersOfItsAddressGuessIsKnownSoon(boolean announced) {
    check.setAnnounced(announced);
    guess();
    String fresh = create("fresh", null);
    String gone = create("gone", Duration.ofDays(1));
    keys.revoke("gone", "ann", "test");
    if (announced) {
      check.noteChange();
    } else {
      world.pass(Duration.ofSeconds(1));
    }
    assertThat(caller(check, fresh, HERE).name()).isEqualTo("key:fresh");
    assertRefused(gone, HERE, 429);
  }

  /** A request with a wrong key must not be held by a PostgreSQL that another one waits for. */
  @Test
  void duringAnOutageAWrongKeyIsRefusedOrAnsweredWithTheOutage() {
    guess();
    server.off();
    assertRefused("guess21", HERE, 429);
    world.pass(Duration.ofSeconds(2));
    assertThatThrownBy(() -> caller(check, "guess22", HERE))
        .isInstanceOf(DataAccessException.class);
    assertThat(caller(check, key, HERE).name()).isEqualTo("key:ring");
  }

  private void postgres(String sql, String hash) {
    assertThat(JdbcClient.create(postgres).sql(sql).param(hash).update()).isEqualTo(1);
  }

  private void assertRefused(String secret, String address, int status) {
    assertThatThrownBy(() -> caller(check, secret, address))
        .isInstanceOfSatisfying(
            SignInFailed.class, e -> assertThat(e.problem().problem().status()).isEqualTo(status));
  }
}

package palmares.platform.infra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.codec.Base16;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.infra.RedisDurability.RedisAtStart;
import palmares.platform.redis.LuaScript;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.redis.ScriptCall;
import palmares.platform.time.SettableClock;
import palmares.testing.PalmaresTest;

/** Two databases never use the same live boards. */
@PalmaresTest
class RedisOwnerTest {
  private static final String INSTALLATION = "palmares:installation";
  private static final String SERVED_BY = "palmares:served-by";
  private static final String ANOTHER = "11111111-2222-4333-8444-555555555555";
  private static final byte[] REFUSAL =
      "return redis.error_reply('NOREPLICAS Not enough good replicas to write.')".getBytes(UTF_8);

  @Autowired private RedisOwner owner;
  @Autowired private StringRedisTemplate redis;
  @Autowired private JdbcClient jdbc;
  @Autowired private RedisAtStart atStart;
  @Autowired private RedisClient client;
  @Autowired private RedisConnectionFactory connections;
  @Autowired private Clock clock;

  @BeforeEach
  @AfterEach
  void forget() {
    redis.delete(INSTALLATION);
    redis.delete(SERVED_BY);
  }

  private String own() {
    return jdbc.sql("select id from palmares.installation").query(String.class).single();
  }

  @Test
  void theFirstProcessStoresWhoseBoardsTheyAreAndOthersOfItStart() {
    owner.afterPropertiesSet();
    assertThat(redis.opsForValue().get(INSTALLATION)).isEqualTo(own());
    assertThat(redis.getExpire(INSTALLATION)).isEqualTo(-1);
    owner.serve();
    assertThatCode(owner::afterPropertiesSet).doesNotThrowAnyException();
  }

  @Test
  void aRedisWithTheBoardsOfAnotherDatabaseIsRefused() {
    redis.opsForValue().set(INSTALLATION, ANOTHER);
    assertThatThrownBy(owner::afterPropertiesSet)
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContainingAll(
            "has the live boards of another database", ANOTHER, own(), "delete the key");
    assertThat(redis.opsForValue().get(INSTALLATION)).isEqualTo(ANOTHER);
  }

  /** Another process, which is a server or a command. */
  private RedisOwner other(boolean isServer) {
    return other(client, isServer);
  }

  private RedisOwner other(RedisClient redisClient, boolean isServer) {
    return other(redisClient, clock, isServer);
  }

  private RedisOwner other(RedisClient redisClient, Clock its, boolean isServer) {
    return new RedisOwner(atStart, redisClient, jdbc, its, isServer);
  }

  @Test
  void aCopyOfTheDatabaseIsRefusedWhileServersOfTheOriginalRun() {
    owner.serve();
    String before = heartbeats();
    owner.serve();
    String ofTheOriginal = redis.opsForValue().get(SERVED_BY);
    jdbc.sql("update installation set heartbeats = ?::uuid[]").param(before).update();
    assertThatThrownBy(other(false)::afterPropertiesSet)
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContainingAll("another copy of this database", "in a minute");
    assertThatThrownBy(other(true)::serve).isInstanceOf(ServersUnavailable.class);
    assertThat(redis.opsForValue().get(SERVED_BY)).isEqualTo(ofTheOriginal);
    assertThat(heartbeats()).isEqualTo(before);
    redis.delete(SERVED_BY);
    assertThatCode(other(false)::afterPropertiesSet).doesNotThrowAnyException();
  }

  /** It may be no copy, but the database after a failover; it works once the minute is over. */
  @Test
  void aServerStartsOnWhatMayBeACopyAndClaimsNothing() {
    redis.opsForValue().set(SERVED_BY, ANOTHER);
    assertThatCode(other(true)::afterPropertiesSet).doesNotThrowAnyException();
    assertThat(redis.opsForValue().get(INSTALLATION)).isNull();
  }

  /** An asynchronous standby that is promoted lacks the last heartbeat. */
  @Test
  void aServerGoesOnThoughAFailoverLostItsLastHeartbeat() {
    owner.serve();
    String before = heartbeats();
    owner.serve();
    jdbc.sql("update installation set heartbeats = ?::uuid[]").param(before).update();
    owner.serve();
    assertThatCode(other(true)::serve).doesNotThrowAnyException();
  }

  /** Of two copies that check at the same moment one wins. */
  @Test
  void aHeartbeatReplacesOnlyTheOneThatWasChecked() {
    owner.serve();
    assertThatThrownBy(
            other(beaten(() -> redis.opsForValue().set(SERVED_BY, ANOTHER)), true)::serve)
        .isInstanceOf(ServersUnavailable.class);
    assertThat(redis.opsForValue().get(SERVED_BY)).isEqualTo(ANOTHER);
  }

  /** Others are always quicker to store their heartbeat. */
  private RedisClient beaten(Runnable others) {
    return new RedisClient(connections, new RedisClient.Settings(Duration.ofSeconds(10))) {
      @Override
      public List<byte[]> run(LuaScript script, ScriptCall call) {
        others.run();
        return super.run(script, call);
      }
    };
  }

  /** After an outage all of them check at the same moment. */
  @Test
  void serversOfTheInstallationWhichCheckAtTheSameMomentAllServe() {
    owner.serve();
    assertThatCode(other(beaten(owner::serve), true)::serve).doesNotThrowAnyException();
  }

  @Test
  void aFullRedisEndsNoWorkAndEveryHeartbeatIsStored() {
    owner.afterPropertiesSet();
    owner.serve();
    String before = redis.opsForValue().get(SERVED_BY);
    maxMemory("1");
    try {
      assertThatCode(owner::serve).doesNotThrowAnyException();
      assertThat(redis.opsForValue().get(SERVED_BY)).isNotEqualTo(before);
      assertThatCode(other(true)::afterPropertiesSet).doesNotThrowAnyException();
    } finally {
      maxMemory("0");
    }
  }

  private void maxMemory(String bytes) {
    try (RedisConnection connection = connections.getConnection()) {
      connection.serverCommands().setConfig("maxmemory", bytes);
    }
  }

  /** As with fewer replicas than min-replicas-to-write. */
  @Test
  void ofARedisThatRefusesWritesTheReadsSayWhoServes() {
    var refusal = new LuaScript(REFUSAL, Base16.digest(REFUSAL));
    var refusing = new AtomicBoolean();
    var refused =
        new RedisClient(connections, new RedisClient.Settings(Duration.ofSeconds(10))) {
          @Override
          public List<byte[]> run(LuaScript script, ScriptCall call) {
            return super.run(refusing.get() ? refusal : script, call);
          }
        };
    var time = new SettableClock(clock.instant());
    RedisOwner serves = other(refused, time, true);
    RedisOwner starts = other(refused, time, true);
    serves.serve();
    refusing.set(true);
    assertThatThrownBy(starts::serve)
        .as("a copy that was taken just now knows the heartbeat, too")
        .isInstanceOf(RedisUnavailable.class);
    for (int i = 0; i < 3; i++) {
      time.advance(RedisOwner.SERVED.minusSeconds(1));
      assertThatCode(serves::serve).doesNotThrowAnyException();
      redis.delete(SERVED_BY); // A minute has passed.
    }
    assertThatThrownBy(starts::serve)
        .as("a copy may serve in the same way")
        .isInstanceOf(RedisUnavailable.class);
    time.advance(RedisOwner.SERVED);
    assertThatThrownBy(serves::serve)
        .as("a copy may have served while it was paused")
        .isInstanceOf(RedisUnavailable.class);
    redis.opsForValue().set(SERVED_BY, ANOTHER);
    assertThatThrownBy(serves::serve).isInstanceOf(ServersUnavailable.class);
  }

  /** Redis has lost its data, and another database must not take it over. */
  @Test
  void aServerThatRunsClaimsAnEmptyRedisAgain() {
    owner.afterPropertiesSet();
    redis.delete(INSTALLATION);
    owner.serve();
    assertThat(redis.opsForValue().get(INSTALLATION)).isEqualTo(own());
  }

  @Test
  void aServerOnAnotherDatabaseClaimsNothingWhileServersRun() {
    redis.opsForValue().set(SERVED_BY, ANOTHER);
    assertThatThrownBy(owner::afterPropertiesSet).isInstanceOf(ServersUnavailable.class);
    assertThat(redis.opsForValue().get(INSTALLATION)).isNull();
  }

  private String heartbeats() {
    return jdbc.sql("select heartbeats::text from installation").query(String.class).single();
  }

  @Test
  void aServerSaysThatItRunsForAMinute() {
    owner.serve();
    assertThat(heartbeats()).startsWith("{" + redis.opsForValue().get(SERVED_BY));
    assertThat(redis.getExpire(SERVED_BY, TimeUnit.MILLISECONDS)).isBetween(1L, 60_000L);
  }
}

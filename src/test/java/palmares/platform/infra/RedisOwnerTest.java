package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.platform.embedded.ServersUnavailable;
import palmares.testing.PalmaresTest;

/** Two databases never use the same live boards. */
@PalmaresTest
class RedisOwnerTest {
  private static final String INSTALLATION = "palmares:installation";
  private static final String SERVED_BY = "palmares:served-by";
  private static final String ANOTHER = "11111111-2222-4333-8444-555555555555";

  @Autowired private RedisOwner owner;
  @Autowired private StringRedisTemplate redis;
  @Autowired private JdbcClient jdbc;

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

  @Test
  void aCopyOfTheDatabaseIsRefusedWhileServersOfTheOriginalRun() {
    owner.serve();
    String before = heartbeats();
    owner.serve();
    String ofTheOriginal = redis.opsForValue().get(SERVED_BY);
    jdbc.sql("update installation set heartbeats = ?::uuid[]").param(before).update();
    assertThatThrownBy(owner::afterPropertiesSet)
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContainingAll("another copy of this database", "in a minute");
    owner.serve();
    assertThat(redis.opsForValue().get(SERVED_BY)).isEqualTo(ofTheOriginal);
    redis.delete(SERVED_BY);
    assertThatCode(owner::afterPropertiesSet).doesNotThrowAnyException();
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

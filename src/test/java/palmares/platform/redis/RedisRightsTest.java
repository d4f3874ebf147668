package palmares.platform.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.settlement.closing.Expiry;
import palmares.testing.Contest;
import palmares.testing.Elsewhere;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The rights that the guide gives to the user of Redis are enough, and none is too many. */
@WorldTest
class RedisRightsTest {
  private static final String USER = "--spring.data.redis.username=limited";

  @Autowired private World here;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private DataRedisConnectionDetails redis;

  @AfterEach
  void forgetUser() {
    user("reset");
  }

  private void user(String... rules) {
    servers.redis(
        connection ->
            connection.execute(
                "ACL",
                Stream.concat(Stream.of("SETUSER", "limited"), Stream.of(rules))
                    .map(word -> word.getBytes(UTF_8))
                    .toArray(byte[][]::new)));
  }

  private void limit(String rights) {
    user("reset", "on", ">" + Objects.requireNonNull(redis.getPassword()));
    user(rights.split(" "));
  }

  @Test
  void aServerWithTheRightsOfTheGuideTakesEventsSettlesAndExpires() throws IOException {
    limit(RedisClientTest.rights());
    try (Elsewhere limited = Elsewhere.start(postgres, redis, USER)) {
      World world = limited.begin(here.now());
      Period day = world.open(world.board(Contest.rules()));
      world.take(Contest.facts());
      world.settle(day);
      assertThat(records.paid(day)).isEqualTo(Contest.PAID);
      world.now(day.expiresAt());
      limited.get(Expiry.class).expire();
      assertThat(world.again(day).state()).isEqualTo(PeriodState.EXPIRED);
    }
  }

  @Test
  void aServerWithoutOneOfThemDoesNotStart() throws IOException {
    limit(RedisClientTest.rights() + " -zadd");
    assertThatThrownBy(() -> Elsewhere.start(postgres, redis, USER))
        .hasStackTraceContaining("Correct it, and start again.");
  }
}

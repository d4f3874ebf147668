package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.redis.RedisAddress;
import palmares.platform.redis.RedisClient;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.Catalogue;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The names of adopted keys are no pattern of the guide, so that they are easily forgotten. */
@WorldTest
class AdoptedRightsTest {
  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private StringRedisTemplate redis;
  @Autowired private DataRedisConnectionDetails server;
  @Autowired private RedisAddress address;
  @Autowired private Clock clock;

  @AfterEach
  void forget() {
    execute("ACL", "SETUSER", "limited", "reset");
  }

  private void execute(String command, String... arguments) {
    servers.redis(
        connection ->
            connection.execute(
                command,
                Arrays.stream(arguments).map(word -> word.getBytes(UTF_8)).toArray(byte[][]::new)));
  }

  private void start(Board board, String... patterns) {
    execute("ACL", "SETUSER", "limited", "reset", "on", ">secret", "+@all", "~palmares:*");
    for (String pattern : patterns) {
      execute("ACL", "SETUSER", "limited", pattern);
    }
    var node = Objects.requireNonNull(server.getStandalone());
    var configuration = new RedisStandaloneConfiguration(node.getHost(), node.getPort());
    configuration.setUsername("limited");
    configuration.setPassword("secret");
    var connections = new LettuceConnectionFactory(configuration);
    connections.afterPropertiesSet();
    connections.start();
    try {
      var client = new RedisClient(connections, new RedisClient.Settings(Duration.ofSeconds(5)));
      new AdoptedRights(client, address, new Catalogue(List.of(board)), clock).afterPropertiesSet();
    } finally {
      connections.destroy();
    }
  }

  @Test
  void aUserWithoutTheKeysOfAnAdoptedBoardIsRefused() {
    Board board =
        world.board("title: T\nperiod: day\nadopt: { key: 'lb:{period}', encoding: points }\n");
    String key = board.adoption().keys(world.slot(board), board.zone()).get(0);
    redis.opsForZSet().add(key, "ann", 5);
    redis.expire(key, Duration.ofHours(1));
    assertThatThrownBy(() -> start(board))
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContainingAll(key, board.id().value(), "~ pattern");
    assertThatThrownBy(() -> start(board, "%R~lb:*"))
        .as("it is renamed")
        .isInstanceOf(ServersUnavailable.class);
    assertThatThrownBy(() -> start(board, "~lb:*"))
        .as("its name after the seal has a tag")
        .hasMessageContaining("{" + key + "}");
    assertThatCode(() -> start(board, "~lb:*", "~{lb:*")).doesNotThrowAnyException();
    assertThat(redis.opsForZSet().score(key, "ann")).isEqualTo(5);
    assertThat(redis.getExpire(key, TimeUnit.SECONDS)).isBetween(3_500L, 3_600L);
  }
}

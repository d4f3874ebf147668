package palmares.platform.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import palmares.platform.redis.RedisUnavailable.Reason;
import palmares.platform.text.Texts;
import palmares.testing.PalmaresTest;
import palmares.testing.Proxy;
import palmares.testing.Servers;

/** The client follows a failover behind a name, and says what Redis refuses. */
@PalmaresTest
class RedisClientTest {
  private static final Path SCRIPTS = Path.of("src", "main", "resources", "palmares");
  private static final Path GUIDE = Path.of("src", "docs", "deploying.md");
  private static final Pattern COMMAND = Pattern.compile("\\b(?:redis\\.)?p?call\\('([A-Z]+)'");
  private static final Pattern OTHER_COMMAND = Pattern.compile("and 'ZCARD' or '([A-Z]+)'");
  private static final Pattern RIGHTS = Pattern.compile("ACL SETUSER settlement on >PASSWORD (.*)");

  @Autowired private Servers servers;
  @Autowired private DataRedisConnectionDetails redis;

  private Proxy name;
  private @Nullable LettuceConnectionFactory connections;

  @BeforeEach
  void startANameOfRedis() throws IOException {
    var node = Objects.requireNonNull(redis.getStandalone());
    name = Proxy.to(node.getHost(), node.getPort());
  }

  @AfterEach
  void stop() throws IOException {
    execute("REPLICAOF", "NO", "ONE");
    execute("ACL", "SETUSER", "limited", "reset");
    Objects.requireNonNull(connections).destroy();
    name.close();
  }

  private RedisClient client(String user, String password) {
    var configuration = new RedisStandaloneConfiguration("127.0.0.1", name.port());
    configuration.setUsername(user);
    configuration.setPassword(password);
    var fresh = new LettuceConnectionFactory(configuration);
    connections = fresh;
    fresh.afterPropertiesSet();
    fresh.start();
    return new RedisClient(fresh, new RedisClient.Settings(Duration.ofSeconds(5)));
  }

  private RedisClient client() {
    return client("default", Objects.toString(redis.getPassword(), ""));
  }

  private void execute(String command, String... arguments) {
    servers.redis(
        connection ->
            connection.execute(
                command,
                Arrays.stream(arguments).map(word -> word.getBytes(UTF_8)).toArray(byte[][]::new)));
  }

  /** The demoted master goes on serving its connections, and the name leads to another server. */
  @Test
  void aConnectionToADemotedMasterIsDroppedAtMostOnceInAWhile() {
    RedisClient client = client();
    client.probe();
    execute("REPLICAOF", "127.0.0.1", "1");
    assertRefused(client, Reason.REPLICA);
    await().until(() -> name.accepted() == 2);
    for (int i = 0; i < 50; i++) {
      assertRefused(client, Reason.REPLICA);
    }
    assertThat(name.accepted()).isEqualTo(2);
    execute("REPLICAOF", "NO", "ONE");
    client.probe();
  }

  private static void assertRefused(RedisClient client, Reason reason) {
    assertThatThrownBy(client::probe)
        .isInstanceOfSatisfying(
            RedisUnavailable.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining(Texts.english(reason.said()));
  }

  @Test
  void aUserWithTheRightsOfTheGuideCanDoAllThatPalmaresDoes() throws IOException {
    user(rights());
    RedisClient client = client("limited", "secret");
    client.probe();
    client.ping();
    assertThat(client.info("memory", "used_memory")).isPositive();
    var keys = new KeyScan(client);
    keys.keys("palmares:*", page -> {});
    client.command(commands -> commands.psetex("palmares:x".getBytes(UTF_8), 50, new byte[1]));
    assertThat(keys.entries("palmares:x")).isEqualTo(1);
    assertThat(keys.bytes(List.of("palmares:x"), 0)).hasSize(1);
    client.remove("palmares:x");
  }

  @Test
  void aUserWithoutARightIsForbiddenAndNotSilent() throws IOException {
    user(rights() + " -time");
    RedisClient client = client("limited", "secret");
    client.ping();
    assertRefused(client, Reason.FORBIDDEN);
    user(rights().replace("~palmares:*", "~other:*"));
    assertRefused(client, Reason.FORBIDDEN);
  }

  /** Without it no script runs, the probe included. */
  @Test
  void aUserWhoMayRunNoScriptIsForbidden() throws IOException {
    user(rights() + " -evalsha");
    RedisClient client = client("limited", "secret");
    client.ping();
    assertRefused(client, Reason.FORBIDDEN);
    user(rights() + " -eval");
    execute("SCRIPT", "FLUSH");
    assertRefused(client, Reason.FORBIDDEN);
  }

  private void user(String rights) {
    execute(
        "ACL",
        Stream.concat(
                Stream.of("SETUSER", "limited", "reset", "on", ">secret"),
                Stream.of(rights.split(" ")))
            .toArray(String[]::new));
  }

  static String rights() throws IOException {
    return RIGHTS.matcher(Files.readString(GUIDE)).results().findFirst().orElseThrow().group(1);
  }

  /** Otherwise a forbidden command would be found only by the first event or closing. */
  @Test
  void theProbeRunsEachCommandOfTheScripts() throws IOException {
    try (Stream<Path> files = Files.walk(SCRIPTS)) {
      Set<String> used = new TreeSet<>();
      Set<String> probed = new TreeSet<>();
      for (Path file : files.filter(file -> file.toString().endsWith(".lua")).toList()) {
        (file.endsWith("probe.lua") ? probed : used).addAll(commands(Files.readString(file)));
      }
      assertThat(probed).isEqualTo(used).hasSizeGreaterThan(20);
    }
    connections = new LettuceConnectionFactory();
  }

  private static Set<String> commands(String script) {
    return Stream.of(COMMAND, OTHER_COMMAND)
        .flatMap(pattern -> pattern.matcher(script).results().map((MatchResult m) -> m.group(1)))
        .collect(Collectors.toSet());
  }
}

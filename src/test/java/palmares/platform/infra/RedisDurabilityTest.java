package palmares.platform.infra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnection;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.infra.RedisDurability.RedisAtStart;
import palmares.platform.redis.ConfiguredNodes;
import palmares.platform.redis.RedisAddress;
import palmares.platform.redis.RedisClient;
import palmares.platform.text.Texts;
import palmares.testing.PalmaresTest;
import palmares.testing.Servers;

/** A writer warns at its start if Redis may lose data, or fails. */
@PalmaresTest
@ExtendWith(OutputCaptureExtension.class)
class RedisDurabilityTest {
  private static final String NO_APPEND_ONLY_FILE =
      "has no append-only file, so a crash loses all events since its";
  private static final String EVICTS =
      "may delete whole boards when its memory is full (maxmemory-policy allkeys-lru)";

  private static final Map<String, String> DURABLE =
      Map.of("appendonly", "yes", "appendfsync", "everysec", "maxmemory-policy", "noeviction");

  @Autowired private Servers servers;
  @Autowired private DataRedisConnectionDetails redis;

  private final Properties before = new Properties();

  @AfterEach
  void restoreSettings() {
    before.forEach((name, value) -> change(name.toString(), value.toString()));
    user("reset");
  }

  @Test
  void aDurableRedisCausesNoWarning(CapturedOutput output) {
    configure(DURABLE);
    assertThat(risks()).isEmpty();
    start("true", "default").run(context -> assertThat(context).hasNotFailed());
    assertThat(output.getAll()).doesNotContain("Redis at");
  }

  @Test
  void risksAreLoggedAtTheStartWithTheirRemedies(CapturedOutput output) {
    configure(Map.of("appendonly", "no", "maxmemory-policy", "allkeys-lru"));
    start("false", "default").run(context -> assertThat(context).hasNotFailed());
    assertThat(output.getAll())
        .contains(
            NO_APPEND_ONLY_FILE,
            "set 'appendonly yes'",
            EVICTS,
            "set 'maxmemory-policy noeviction'");
  }

  @Test
  void aWriterThatRequiresDurabilityDoesNotStartWithRisks() {
    configure(Map.of("appendonly", "no", "maxmemory-policy", "allkeys-lru"));
    start("true", "default")
        .run(
            context ->
                assertThat(Objects.requireNonNull(context.getStartupFailure()))
                    .rootCause()
                    .isInstanceOf(ServersUnavailable.class)
                    .hasMessageContainingAll(NO_APPEND_ONLY_FILE, EVICTS));
  }

  @Test
  void anAppendOnlyFileThatIsNotSyncedIsARisk() {
    configure(DURABLE);
    configure(Map.of("appendfsync", "no"));
    assertThat(risks()).singleElement().asString().contains("set 'appendfsync everysec'");
  }

  @Test
  void settingsThatMayNotBeReadAreReportedAsUnknown() {
    configure(DURABLE);
    user("on", ">secret", "~*", "+@all", "-config");
    start("true", "nobody")
        .run(
            context ->
                assertThat(Objects.requireNonNull(context.getStartupFailure()))
                    .rootCause()
                    .hasMessageContaining("does not report its appendfsync")
                    .hasMessageNotContaining("append-only")
                    .hasMessageNotContaining("maxmemory"));
  }

  @Test
  void aRiskNamesTheNodeOfACluster() {
    var kept = new RedisSettings("10.0.0.1:7000", "0", "ok", "noeviction", "everysec", "3600 1");
    var single = new RedisSettings("", "0", "ok", "noeviction", "everysec", "3600 1");
    assertThat(Texts.english(new StoreSentences.AtRisk("Redis at c", kept.risks())))
        .startsWith("Redis at c may lose events: 10.0.0.1:7000 has no append-only file");
    assertThat(Texts.english(new StoreSentences.AtRisk("Redis at r", single.risks())))
        .startsWith("Redis at r may lose events: it has no append-only file");
  }

  private List<String> risks() {
    return servers.redis(
        connection ->
            RedisSettings.read(connection).stream()
                .flatMap(server -> server.risks().stream())
                .map(Texts::english)
                .toList());
  }

  private void configure(Map<String, String> settings) {
    settings.forEach(
        (name, value) -> {
          Properties old = servers.redis(connection -> connection.serverCommands().getConfig(name));
          before.putIfAbsent(name, Objects.requireNonNull(old).getProperty(name));
          change(name, value);
        });
  }

  private void user(String... rules) {
    servers.redis(
        connection ->
            connection.execute(
                "ACL",
                Stream.concat(Stream.of("SETUSER", "nobody"), Stream.of(rules))
                    .map(word -> word.getBytes(UTF_8))
                    .toArray(byte[][]::new)));
  }

  private void change(String name, String value) {
    servers.redis(
        (RedisConnection connection) -> {
          connection.serverCommands().setConfig(name, value);
          return true;
        });
  }

  private WebApplicationContextRunner start(String requireDurable, String user) {
    var node = Objects.requireNonNull(redis.getStandalone());
    boolean own = !user.equals("default");
    return new WebApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
        .withUserConfiguration(RedisClient.class)
        .withBean(RedisAddress.class)
        .withBean(ConfiguredNodes.class)
        .withBean(RedisAtStart.class)
        .withUserConfiguration(RedisDurability.class)
        .withPropertyValues(
            "palmares.writer.require-durable=" + requireDurable,
            "spring.data.redis.host=" + node.getHost(),
            "spring.data.redis.port=" + node.getPort(),
            "spring.data.redis.username=" + user,
            "spring.data.redis.password="
                + (own ? "secret" : Objects.toString(redis.getPassword(), "")));
  }
}

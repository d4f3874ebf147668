package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The settings that exist: the page that lists them, and what is refused. */
class KnownSettingsTest {
  private static final Path METADATA =
      Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");

  private static final Path PAGE = Path.of("src", "docs", "configuration.md");

  private static final Map<String, String> TYPES =
      Map.of(
          "java.lang.Boolean", "true or false",
          "java.lang.Integer", "number",
          "java.lang.Long", "number",
          "java.lang.Double", "number",
          "java.lang.String", "text",
          "java.nio.file.Path", "folder",
          "java.net.URI", "URL",
          "java.time.Duration", "duration",
          "java.util.Locale", "language",
          "org.springframework.util.unit.DataSize", "size");

  /** The page around the tables. */
  private static final Path TEXT =
      Path.of("src", "test", "resources", "palmares", "platform", "infra", "configuration.md");

  @Test
  void thePageListsEverySettingOfTheCode() throws IOException {
    String page = page();
    Path generated = Files.writeString(Path.of("target", "configuration.md"), page);
    assertThat(PAGE)
        .as("the settings have changed: copy " + generated + " to " + PAGE)
        .hasContent(page);
  }

  private static String page() throws IOException {
    var rows = new StringBuilder("| name | type | default | meaning |\n|---|---|---|---|\n");
    var internal = new ArrayList<String>();
    for (JsonNode setting : JsonMapper.shared().readTree(METADATA).path("properties")) {
      String name = setting.path("name").asString();
      String meaning =
          setting.path("description").asString("").replaceAll("\\{@code ([^}]*)}", "`$1`");
      assertThat(meaning).as("the meaning of " + name).isNotBlank();
      if (isInternal(name)) {
        internal.add("- `" + name + "`");
      } else {
        rows.append(
            "| `%s` | %s | %s | %s |\n"
                .formatted(name, type(setting), defaultOf(setting), meaning.replace("|", "\\|")));
      }
    }
    return Files.readString(TEXT)
        .replace("{settings}", rows)
        .replace("{internal}", String.join("\n", internal));
  }

  private static boolean isInternal(String name) {
    return name.endsWith(".background")
        || List.of(
                "palmares.purpose",
                "palmares.launcher",
                "palmares.launcher-mark",
                "palmares.launcher-parent",
                "palmares.journal.drain",
                "palmares.writer.enabled")
            .contains(name);
  }

  private static String type(JsonNode setting) {
    String type = setting.path("type").asString();
    if (type.startsWith("java.util.Map<")) {
      return "settings by name";
    }
    return type.startsWith("java.util.List<") ? "list" : TYPES.getOrDefault(type, "text");
  }

  private static String defaultOf(JsonNode setting) {
    JsonNode value = setting.path("defaultValue");
    return value.isMissingNode() || value.asString("").isEmpty()
        ? ""
        : "`" + value.asString() + "`";
  }

  @ParameterizedTest
  @CsvSource({
    "palmares.verify.dais, palmares.verify.days",
    "palmares.http.bodi-timeout, palmares.http.body-timeout",
    "palmares.outbox.webhook.secrets[0], palmares.outbox.webhook.secret"
  })
  void anUnknownSettingIsRefusedWithItsSourceAndTheNearestName(String wrong, String nearest) {
    assertThatThrownBy(() -> check(new SimpleCommandLinePropertySource("--" + wrong + "=1")))
        .hasMessageContaining("there is no setting '%s'", wrong)
        .hasMessageContaining("an option -D of this call")
        .hasMessageContaining("did you mean '%s'?", nearest);
    assertThatThrownBy(() -> check(new MapPropertySource("a file", Map.of(wrong, "1"))))
        .hasMessageContaining("there is no setting '%s' (a file)", wrong);
  }

  @Test
  void aNameThatResemblesNoneGetsNoGuess() {
    for (PropertySource<?> source :
        List.of(
            new MapPropertySource("a file", Map.of("palmares.foo", "1")),
            environment("PALMARES_FOO"))) {
      assertThatThrownBy(() -> check(source))
          .hasMessageContaining("there is no setting")
          .hasMessageContaining("src/docs/configuration.md lists all")
          .hasMessageNotContaining("did you mean");
    }
  }

  @Test
  void anUnknownEnvironmentVariableIsRefused() {
    assertThatThrownBy(() -> check(environment("PALMARES_VERIFY_DAY")))
        .hasMessageContaining("'PALMARES_VERIFY_DAY' (an environment variable)")
        .hasMessageContaining("did you mean 'PALMARES_VERIFY_DAYS'?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PALMARES_HTTP_BODY_TIMEOUT",
        "PALMARES_HTTP_BODYTIMEOUT",
        "PALMARES_OUTBOX_WEBHOOK_SECRET_0",
        "PALMARES_OUTBOX_WEBHOOKS_WALLET_URL",
        "PALMARES_OUTBOX_WEBHOOKS_WALLET_SECRET_0",
        "PALMARES_CACHE",
        "PALMARES_CACHE_TRAINING",
        "PALMARES_URL",
        "PALMARES_TOKEN",
        "PALMARES_PROFILE",
        "PALMARES_LANGUAGE",
        "PALMARES_SERVICE_HOST",
        "PALMARES_WRITER_PORT_8080_TCP_ADDR",
        "SOMETHING_ELSE"
      })
  void knownVariablesAndThoseOfKubernetesAreAccepted(String name) {
    assertThatCode(() -> check(environment(name))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "palmares.http.bodyTimeout",
        "palmares.outbox.webhook.secret[1]",
        "palmares.outbox.webhooks.wallet.url",
        "palmares.outbox.webhooks.chat.secret[0]",
        "palmares.http.memory",
        "palmares.jobs",
        "spring.nonsense"
      })
  void everySpellingThatSpringBindsIsAccepted(String name) {
    assertThatCode(() -> check(new MapPropertySource("a file", Map.of(name, "1"))))
        .doesNotThrowAnyException();
  }

  private static PropertySource<?> environment(String name) {
    return new SystemEnvironmentPropertySource("systemEnvironment", Map.of(name, "1"));
  }

  private static void check(PropertySource<?> source) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().stream()
        .toList()
        .forEach(each -> environment.getPropertySources().remove(each.getName()));
    environment.getPropertySources().addFirst(source);
    try (var context = new GenericApplicationContext()) {
      context.setEnvironment(environment);
      new KnownSettings().initialize(context);
    }
  }
}

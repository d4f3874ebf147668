package palmares.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.client.Fact;
import palmares.client.PalmaresClient;
import tools.jackson.jr.ob.JSON;

/** What the starter configures by which settings. */
class ConfigurationTest {
  private static final Path DOCS = Path.of("..", "docs", "clients.md");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `((?:outbox|webhook)?[a-z.-]+)` \\|");
  private static final String PREFIX = "palmares.client.";
  private static final AutoConfigurations ALL =
      AutoConfigurations.of(
          DataSourceAutoConfiguration.class,
          DataSourceTransactionManagerAutoConfiguration.class,
          JdbcTemplateAutoConfiguration.class,
          JdbcClientAutoConfiguration.class,
          PalmaresAutoConfiguration.class);

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(ALL)
          .withPropertyValues("spring.datasource.generate-unique-name=true");

  private final WebApplicationContextRunner web =
      new WebApplicationContextRunner()
          .withConfiguration(ALL)
          .withPropertyValues(
              "spring.datasource.generate-unique-name=true",
              "palmares.client.webhook.secrets[0]=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

  @Test
  void withoutSettingsThereIsNothing() {
    application.run(
        context -> {
          assertThat(context).doesNotHaveBean(PalmaresClient.class);
          assertThat(context).doesNotHaveBean(PalmaresOutbox.class);
          assertThat(context).doesNotHaveBean(FactEndpoint.class);
          assertThat(tables(context.getBean(JdbcClient.class))).isEmpty();
        });
  }

  @Test
  void withAnAddressThereAreTablesOutboxAndSender() {
    application
        .withPropertyValues("palmares.client.url=http://localhost:1")
        .run(
            context -> {
              assertThat(context).hasSingleBean(PalmaresClient.class);
              assertThat(context).hasSingleBean(OutboxSender.class);
              assertThat(tables(context.getBean(JdbcClient.class)))
                  .containsExactly("PALMARES_INBOX", "PALMARES_OUTBOX", "PALMARES_REFUSED");
            });
  }

  @Test
  void aProcessMayLeaveTheSendingToOthers() {
    application
        .withPropertyValues(
            "palmares.client.url=http://localhost:1", "palmares.client.outbox.enabled=false")
        .run(
            context -> {
              assertThat(context).hasSingleBean(PalmaresOutbox.class);
              assertThat(context).doesNotHaveBean(OutboxSender.class);
            });
  }

  @Test
  void withASecretThereIsAnEndpoint() {
    web.run(context -> assertThat(context).hasSingleBean(FactEndpoint.class));
  }

  @Test
  void wrongSettingsAreRefusedByName() {
    application
        .withPropertyValues(
            "palmares.client.url=http://localhost:1", "palmares.client.outbox.batch-size=0")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("palmares.client.outbox.batch-size is 0"));
    application
        .withPropertyValues("palmares.client.url=localhost")
        .run(
            context ->
                assertThat(context).getFailure().rootCause().hasMessageContaining("http://"));
  }

  static class Wrong {
    @Bean
    Wrong wrong() {
      return new Wrong();
    }

    @PalmaresListener("*")
    String listen(Fact fact) {
      return fact.id();
    }
  }

  @Test
  void aListenerThatCannotBeCalledIsRefusedAtTheStart() {
    web.withUserConfiguration(Wrong.class)
        .run(
            context -> assertThat(context).getFailure().hasMessageContaining("must take one Fact"));
  }

  private static List<String> tables(JdbcClient jdbc) {
    return jdbc.sql(
            """
            select table_name from information_schema.tables
            where table_name like 'PALMARES%' order by 1
            """)
        .query(String.class)
        .list();
  }

  @Test
  void thePageAboutClientsHasEachSetting() throws Exception {
    Path metadata =
        Path.of(
            PalmaresProperties.class
                .getResource("/META-INF/spring-configuration-metadata.json")
                .toURI());
    List<String> settings =
        ((List<?>) JSON.std.mapFrom(Files.readString(metadata)).get("properties"))
            .stream()
                .map(setting -> ((Map<?, ?>) setting).get("name").toString())
                .map(name -> name.substring(PREFIX.length()))
                .toList();
    assertThat(settings).hasSizeGreaterThan(10);
    assertThat(ROW.matcher(Files.readString(DOCS)).results().map(found -> found.group(1)))
        .containsExactlyInAnyOrderElementsOf(settings);
  }
}

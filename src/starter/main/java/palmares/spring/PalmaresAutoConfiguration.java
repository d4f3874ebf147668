package palmares.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.client.Outcome;
import palmares.client.PalmaresClient;
import palmares.client.RetryPolicy;
import palmares.client.Webhook;

/** Configures the client, its outbox, and the endpoint of facts, as far as there are settings. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure"
          + ".CompositeMeterRegistryAutoConfiguration"
    })
@EnableConfigurationProperties(PalmaresProperties.class)
public class PalmaresAutoConfiguration {

  private static Clock clock(ObjectProvider<Clock> clock) {
    return clock.getIfUnique(Clock::systemUTC);
  }

  /** Reads what others have committed meanwhile, on each database. */
  private static TransactionTemplate transaction(PlatformTransactionManager transactions) {
    var template = new TransactionTemplate(transactions);
    template.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    return template;
  }

  private static PalmaresClient client(PalmaresProperties settings, RetryPolicy retries) {
    PalmaresClient.Builder builder =
        PalmaresClient.to(Objects.requireNonNull(settings.url()))
            .timeout(settings.timeout())
            .retries(retries);
    return (settings.key() == null ? builder : builder.key(settings.key())).build();
  }

  /** Creates the tables of outbox and inbox; where it must not, the scripts are for migrations. */
  @Bean
  @Conditional(IsConfigured.class)
  static DataSourceScriptDatabaseInitializer palmaresTables(
      DataSource database, PalmaresProperties properties) {
    var settings = new DatabaseInitializationSettings();
    settings.setSchemaLocations(
        new PlatformPlaceholderDatabaseDriverResolver()
            .withDriverPlatform(DatabaseDriver.MARIADB, "mysql")
            .resolveAll(database, "classpath:palmares/spring/schema-@@platform@@.sql"));
    settings.setMode(properties.outbox().initializeSchema());
    return new DataSourceScriptDatabaseInitializer(database, settings);
  }

  private static boolean isSet(ConditionContext context, String property) {
    return Binder.get(context.getEnvironment())
        .bind(property, Bindable.listOf(String.class))
        .map(values -> !values.isEmpty())
        .orElse(false);
  }

  /** Whether facts can be verified. */
  static final class HasSecrets implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return isSet(context, "palmares.client.webhook.secrets");
    }
  }

  /** Whether anything can be sent or received. */
  static final class IsConfigured implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return isSet(context, "palmares.client.url")
          || isSet(context, "palmares.client.webhook.secrets");
    }
  }

  /** What needs a server's address. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty("palmares.client.url")
  static class Sending {
    @Bean
    @ConditionalOnMissingBean
    PalmaresClient palmaresClient(PalmaresProperties settings) {
      return client(settings, RetryPolicy.DEFAULT);
    }

    @Bean
    @DependsOnDatabaseInitialization
    PalmaresOutbox palmaresOutbox(JdbcClient jdbc, ObjectProvider<Clock> clock) {
      return new PalmaresOutbox(jdbc, clock(clock));
    }

    @Bean
    @ConditionalOnProperty(name = "palmares.client.outbox.enabled", matchIfMissing = true)
    OutboxSender palmaresOutboxSender(
        PalmaresOutbox outbox,
        PalmaresProperties settings,
        PlatformTransactionManager transactions,
        ObjectProvider<OutcomeCounter> counter) {
      Consumer<Outcome> count = counter.getIfAvailable(() -> outcome -> {})::count;
      return new OutboxSender(
          outbox,
          client(settings, RetryPolicy.NONE),
          transaction(transactions),
          settings.outbox(),
          count);
    }
  }

  /** Counts the outcomes of events that were sent. */
  interface OutcomeCounter {
    void count(Outcome outcome);
  }

  /** What needs Micrometer. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnProperty("palmares.client.url")
  static class Metrics {
    @Bean
    OutcomeCounter palmaresOutcomeCounter(ObjectProvider<MeterRegistry> registry) {
      return outcome ->
          registry.ifAvailable(
              meters ->
                  meters
                      .counter(
                          "palmares.client.events",
                          "outcome",
                          outcome.isRefused()
                              ? "refused"
                              : outcome.kind().name().toLowerCase(Locale.ROOT))
                      .increment());
    }

    @Bean
    MeterBinder palmaresOutboxMeters(PalmaresOutbox outbox) {
      return registry -> {
        Gauge.builder("palmares.client.outbox.waiting", outbox, PalmaresOutbox::waiting)
            .description("Events that wait in the outbox")
            .register(registry);
        Gauge.builder(
                "palmares.client.outbox.oldest",
                outbox,
                waiting -> waiting.oldest().orElse(Duration.ZERO).toMillis() / 1e3)
            .description("How long the oldest event has waited")
            .baseUnit("seconds")
            .register(registry);
        Gauge.builder("palmares.client.outbox.refused", outbox, PalmaresOutbox::refusedCount)
            .description("Events that Palmares refused, and nobody has retried or discarded")
            .register(registry);
      };
    }
  }

  /** What needs Spring Boot's health. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  @ConditionalOnProperty("palmares.client.url")
  static class HealthOfOutbox {
    /** Down once the oldest event is overdue; refused events are a detail, as they stop nothing. */
    @Bean
    HealthIndicator palmaresHealthIndicator(
        PalmaresOutbox outbox, PalmaresProperties settings, ObjectProvider<OutboxSender> sender) {
      return () -> {
        Duration oldest = outbox.oldest().orElse(Duration.ZERO);
        boolean overdue = oldest.compareTo(settings.outbox().overdueAfter()) > 0;
        Health.Builder health = overdue ? Health.down() : Health.up();
        health
            .withDetail("waiting", outbox.waiting())
            .withDetail("oldestSeconds", oldest.toSeconds())
            .withDetail("refused", outbox.refusedCount());
        sender.ifAvailable(
            each -> {
              String failure = each.lastFailure();
              if (failure != null) {
                health.withDetail("lastFailure", failure);
              }
            });
        return health.build();
      };
    }
  }

  /** What needs the secret of a webhook. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @Conditional(HasSecrets.class)
  static class Receiving {
    @Bean
    FactListeners palmaresFactListeners(ConfigurableListableBeanFactory beans) {
      return new FactListeners(beans);
    }

    @Bean
    @DependsOnDatabaseInitialization
    FactInbox palmaresFactInbox(
        JdbcClient jdbc,
        PlatformTransactionManager transactions,
        FactListeners listeners,
        ObjectProvider<Clock> clock) {
      return new FactInbox(jdbc, transaction(transactions), listeners, clock(clock));
    }

    @Bean
    FactEndpoint palmaresFactEndpoint(
        PalmaresProperties settings, FactInbox inbox, ObjectProvider<Clock> clock) {
      PalmaresProperties.Webhook webhook = settings.webhook();
      return new FactEndpoint(
          new Webhook(webhook.secrets(), webhook.tolerance(), clock(clock)),
          inbox,
          Math.toIntExact(webhook.maxSize().toBytes()));
    }
  }
}

package palmares.testing;

import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Plans each statement once in a session, because the tests' planning would take longer than their
 * work, and keeps the sessions. Statements over periods with own tables are planned as those of a
 * real server are. The file {@code spring.factories} has it, so that each application that a test
 * starts does so. Only the tests of the jar, which start processes, run production's plans.
 */
public final class CachedPlans
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  private static final String POOL = "spring.datasource.hikari.";
  private static final String INIT_SQL = POOL + "connection-init-sql";

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    ConfigurableEnvironment settings = context.getEnvironment();
    if (!settings.containsProperty("palmares.history.own-tables-from")) {
      TestPropertyValues.of(
              INIT_SQL
                  + "="
                  + settings.getRequiredProperty(INIT_SQL)
                  + "; set plan_cache_mode = force_generic_plan",
              POOL + "max-lifetime=0",
              // Closings make tables, after which the driver would prepare all statements again.
              POOL + "data-source-properties.flushCacheOnDdl=false",
              POOL + "data-source-properties.prepareThreshold=1",
              POOL + "data-source-properties.preparedStatementCacheQueries=2000",
              POOL + "data-source-properties.preparedStatementCacheSizeMiB=50")
          .applyTo(context);
    }
  }
}

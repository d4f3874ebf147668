package palmares.testing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.flywaydb.core.Flyway;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * An empty database on the tests' servers, and an empty Redis, for an application that acts on all
 * that it finds. The next one replaces it.
 */
public final class OwnDatabase {
  private static final String NAME = "palmares_own";
  private static final String TEMPLATE = "palmares_template";

  /** Its comment says which migrations were applied, so that a start need not look. */
  private static final String HISTORY = "palmares.flyway_schema_history";

  private static final String REDIS_DATABASE = "9";

  private static boolean hasTemplate;

  private OwnDatabase() {}

  /**
   * Creates the database, and removes the live boards that other test classes left.
   *
   * @param tests the context of the test, on the shared servers
   * @return the settings of an application that uses it
   */
  public static Map<String, String> create(ApplicationContext tests) {
    JdbcConnectionDetails postgres = tests.getBean(JdbcConnectionDetails.class);
    create(tests.getBean(JdbcClient.class), postgres);
    empty(tests.getBean(RedisConnectionFactory.class));
    var settings = new LinkedHashMap<String, String>();
    settings.put("palmares.infra", "external");
    settings.put("spring.datasource.url", url(postgres, NAME));
    settings.put("spring.datasource.username", postgres.getUsername());
    settings.put("spring.datasource.password", postgres.getPassword());
    DataRedisConnectionDetails details = tests.getBean(DataRedisConnectionDetails.class);
    var redis = Objects.requireNonNull(details.getStandalone());
    settings.put("spring.data.redis.host", redis.getHost());
    settings.put("spring.data.redis.port", "" + redis.getPort());
    settings.put("spring.data.redis.database", REDIS_DATABASE);
    if (details.getPassword() != null) {
      settings.put("spring.data.redis.password", details.getPassword());
    }
    return settings;
  }

  /** Copies a database that was migrated once, because to migrate takes much longer. */
  private static void create(JdbcClient jdbc, JdbcConnectionDetails postgres) {
    if (!hasTemplate) {
      recreate(jdbc, TEMPLATE, "template1");
      var template =
          new DriverManagerDataSource(
              url(postgres, TEMPLATE),
              Objects.requireNonNull(postgres.getUsername()),
              Objects.requireNonNull(postgres.getPassword()));
      Flyway.configure().dataSource(template).defaultSchema("palmares").load().migrate();
      String mark = "obj_description('%s'::regclass, 'pg_class')".formatted(HISTORY);
      JdbcClient.create(template)
          .sql(
              "comment on table %s is '%s'"
                  .formatted(HISTORY, jdbc.sql("select " + mark).query(String.class).single()))
          .update();
      hasTemplate = true;
    }
    recreate(jdbc, NAME, TEMPLATE);
  }

  private static void recreate(JdbcClient jdbc, String database, String template) {
    jdbc.sql("drop database if exists %s with (force)".formatted(database)).update();
    jdbc.sql("create database %s template %s".formatted(database, template)).update();
  }

  private static String url(JdbcConnectionDetails postgres, String database) {
    return postgres.getJdbcUrl().replaceFirst("(jdbc:postgresql://[^/]+/)[^?]*", "$1" + database);
  }

  private static void empty(RedisConnectionFactory redis) {
    try (RedisConnection connection = redis.getConnection()) {
      connection.serverCommands().flushAll();
    }
  }
}

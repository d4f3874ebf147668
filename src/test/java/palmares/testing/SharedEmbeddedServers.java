package palmares.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.FileSystemUtils;
import palmares.platform.embedded.EmbeddedServers;

/**
 * Each process of the tests owns one pair of servers in a fresh folder, which every context uses as
 * an installation uses its own servers.
 */
class SharedEmbeddedServers
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  @Override
  public void initialize(ConfigurableApplicationContext context) {
    ConfigurableEnvironment settings = context.getEnvironment();
    if (settings.getProperty("palmares.infra", "embedded").equals("embedded")) {
      EmbeddedServers servers = Running.SERVERS;
      TestPropertyValues.of(
              "palmares.infra=external",
              "palmares.data=" + Running.DATA,
              "spring.datasource.url=" + servers.jdbcUrl(),
              "spring.datasource.username=" + servers.user(),
              "spring.datasource.password=" + servers.password(),
              "spring.data.redis.host=" + servers.redisHost(),
              "spring.data.redis.port=" + servers.redisPort(),
              "spring.data.redis.password=" + servers.password())
          .applyTo(context);
    }
  }

  /** Started by the first context that asks; stopped after the last context has closed. */
  private static final class Running {
    /** Surefire runs tests in several processes, which it numbers. */
    static final Path DATA =
        Path.of("target", "test-data-" + System.getProperty("tests.fork", "0"));

    static final EmbeddedServers SERVERS = start(DATA);

    private static EmbeddedServers start(Path data) {
      if (Files.exists(data.resolve("postgres"))) {
        // A test run was killed: its servers may still be running there.
        end(EmbeddedServers.own(data, "tests"), data);
      }
      EmbeddedServers servers = EmbeddedServers.own(data, "tests");
      tune(servers);
      SpringApplication.getShutdownHandlers().add(() -> end(servers, data));
      return servers;
    }

    /**
     * Each of the thousands of connections would hash the password 4,096 times, and no test cuts
     * the power. To analyze small tables would only let all sessions plan their statements again.
     */
    private static void tune(EmbeddedServers servers) {
      try (Connection connection =
              DriverManager.getConnection(servers.jdbcUrl(), servers.user(), servers.password());
          Statement statement = connection.createStatement()) {
        statement.execute("set scram_iterations = 1");
        statement.execute(
            "alter role %s password '%s'".formatted(servers.user(), servers.password()));
        statement.execute("alter system set fsync = off");
        statement.execute("alter system set autovacuum_vacuum_threshold = 5000");
        statement.execute("alter system set autovacuum_analyze_threshold = 50000");
        statement.execute("select pg_reload_conf()");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Keeps the programs, which take longer to unpack than all else that a start does. */
    private static void end(EmbeddedServers servers, Path data) {
      servers.close();
      try (Stream<Path> content = Files.list(data)) {
        for (Path each : (Iterable<Path>) content::iterator) {
          if (!each.endsWith("bin")) {
            FileSystemUtils.deleteRecursively(each);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

package palmares.platform.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.core.env.Environment;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.ResourcePatternResolver;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.stereotype.Component;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.nodes.Nodes;
import palmares.platform.sql.SessionPooling;
import palmares.platform.text.Sentence;
import palmares.platform.threads.HealthSentences;

/**
 * Migrates the schema {@code palmares} before any bean uses it. Flyway needs a second to find that
 * nothing has changed. Therefore the migrations' checksum is stored as a comment on Flyway's
 * history table, and Flyway runs only if the checksum differs. It runs at each start if any {@code
 * spring.flyway} property differs from {@code application.yml}, so that the property has its
 * effect.
 */
@Component
class Schema implements FlywayMigrationStrategy {
  /** Must equal {@code spring.datasource.hikari.schema}. */
  static final String NAME = "palmares";

  private static final String MIGRATIONS = "classpath:db/migration/*.sql";
  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private static final String HISTORY = NAME + ".flyway_schema_history";

  private static final String NODES = NAME + ".node";

  private static final String UNLIKE_NEIGHBOUR =
      """
      select name, format from %s
      where stopped_at is null
        and seen_at >= now() - ? * interval '1 second'
        and format not between ? and ?
      order by name
      limit 1
      """
          .formatted(NODES);

  private static final String READ_COMMENT =
      "select obj_description(to_regclass('%s'), 'pg_class')".formatted(HISTORY);

  /** The {@code spring.flyway} properties of {@code application.yml}. */
  private static final Map<String, String> OWN_SETTINGS =
      Map.of("default-schema", NAME, "locations", "classpath:db/migration");

  private final DataSource dataSource;
  private final ResourcePatternResolver resources;
  private final Environment environment;

  Schema(DataSource dataSource, ResourcePatternResolver resources, Environment environment) {
    this.dataSource = dataSource;
    this.resources = resources;
    this.environment = environment;
  }

  /**
   * Migrates.
   *
   * @throws IllegalStateException if the database does not store UTF-8
   * @throws ServersUnavailable if it is a replica, a connection pooler shares its sessions, or
   *     servers run whose version cannot run next to this one
   */
  @Override
  public void migrate(Flyway flyway) {
    try {
      if (Infra.of(environment) != Infra.EMBEDDED) {
        requirePrimary();
        requireOwnSessions();
      }
      requireNeighbours(Nodes.OLDEST_FORMAT, Nodes.FORMAT);
      if (hasOtherSettings(environment)) {
        requireUtf8();
        flyway.migrate();
        return;
      }
      String mark = mark();
      if (!mark.equals(storedMark())) {
        requireUtf8();
        flyway.migrate();
        storeMark(mark);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Whether somebody has set a {@code spring.flyway} property. */
  static boolean hasOtherSettings(Environment environment) {
    return !Binder.get(environment)
        .bind("spring.flyway", Bindable.mapOf(String.class, String.class))
        .orElse(OWN_SETTINGS)
        .equals(OWN_SETTINGS);
  }

  private void requirePrimary() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_is_in_recovery()")) {
      row.next();
      if (row.getBoolean(1)) {
        throw unusable(new StoreSentences.Replica(), new StoreSentences.NamePrimary());
      }
    }
  }

  private void requireOwnSessions() throws SQLException {
    if (SessionPooling.isShared(dataSource)) {
      throw unusable(new HealthSentences.SharedSessions(), new HealthSentences.SetSessionPooling());
    }
  }

  private ServersUnavailable unusable(Sentence why, Sentence remedy) {
    String address =
        PostgresUnavailable.address(
            environment.getProperty("spring.datasource.url", "the configured address"));
    return new ServersUnavailable(new StoreSentences.PostgresUnusable(address, why), remedy);
  }

  /**
   * Checks which servers run before their tables and laws are changed.
   *
   * @param oldest the oldest format that this version can write
   * @param newest the newest format that it reads
   */
  void requireNeighbours(int oldest, int newest) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      if (!exists(connection, NODES)) {
        return;
      }
      try (PreparedStatement query = connection.prepareStatement(UNLIKE_NEIGHBOUR)) {
        query.setLong(1, Nodes.MAX_HEARTBEAT_AGE.toSeconds());
        query.setInt(2, oldest);
        query.setInt(3, newest);
        requireNone(query, oldest, newest);
      }
    }
  }

  private static void requireNone(PreparedStatement unlike, int oldest, int newest)
      throws SQLException {
    try (ResultSet row = unlike.executeQuery()) {
      if (row.next()) {
        boolean isOlder = row.getInt("format") < oldest;
        throw new ServersUnavailable(
            new StoreSentences.OtherVersion(
                row.getString("name"), isOlder, row.getInt("format"), oldest, newest),
            isOlder ? new StoreSentences.StopOlder() : new StoreSentences.StartNewer());
      }
    }
  }

  private static boolean exists(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select to_regclass('%s') is not null".formatted(table))) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /** Ids are any text, and PostgreSQL's parallel workers hash it in the database's encoding. */
  private void requireUtf8() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select current_database(), current_setting('server_encoding')")) {
      row.next();
      String encoding = row.getString(2);
      if (!"UTF8".equals(encoding)) {
        throw new ServersUnavailable(
            new StoreSentences.NoUtf8(row.getString(1), encoding),
            new StoreSentences.CreateInUtf8(
                "create database NAME encoding 'UTF8' template template0"));
      }
    }
  }

  private @Nullable String storedMark() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(READ_COMMENT)) {
      row.next();
      return row.getString(1);
    }
  }

  /** If another role owns the table, the comment is rejected, and Flyway runs at every start. */
  private void storeMark(String mark) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("comment on table %s is '%s'".formatted(HISTORY, mark));
    } catch (SQLException e) {
      if (!INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
        throw e;
      }
    }
  }

  /** A checksum of the names and contents of all migrations. */
  private String mark() throws IOException {
    Resource[] migrations = resources.getResources(MIGRATIONS);
    Arrays.sort(migrations, Comparator.comparing(Resource::getFilename));
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Resource migration : migrations) {
        digest.update((migration.getFilename() + "\0").getBytes(StandardCharsets.UTF_8));
        digest.update(migration.getContentAsByteArray());
      }
      return "applied: " + HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

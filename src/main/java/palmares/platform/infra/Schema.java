package palmares.platform.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.ResourcePatternResolver;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.stereotype.Component;

/**
 * Migrates the database's schema {@code palmares} only if a migration changed, since Flyway takes a
 * second to find that none did. After a migration, a comment on Flyway's history table holds a
 * checksum of all migrations; {@code spring.flyway} properties hold as Spring Boot documents them.
 */
@Component
class Schema implements FlywayMigrationStrategy {
  /** Also the pool's {@code spring.datasource.hikari.schema}. */
  static final String NAME = "palmares";

  private static final String MIGRATIONS = "classpath:db/migration/*.sql";
  private static final String NOT_ALLOWED = "42501";

  private static final String HISTORY = NAME + ".flyway_schema_history";

  private static final String LOOKED =
      "select obj_description(to_regclass('%s'), 'pg_class')".formatted(HISTORY);

  private final DataSource dataSource;
  private final ResourcePatternResolver resources;

  Schema(DataSource dataSource, ResourcePatternResolver resources) {
    this.dataSource = dataSource;
    this.resources = resources;
  }

  @Override
  public void migrate(Flyway flyway) {
    try {
      String mark = mark();
      if (!mark.equals(looked())) {
        flyway.migrate();
        leave(mark);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException(String.valueOf(e.getMessage()), e);
    }
  }

  private @Nullable String looked() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(LOOKED)) {
      row.next();
      return row.getString(1);
    }
  }

  /** If another role owns the table, the comment is refused, and Flyway runs at every start. */
  private void leave(String mark) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("comment on table %s is '%s'".formatted(HISTORY, mark));
    } catch (SQLException e) {
      if (!NOT_ALLOWED.equals(e.getSQLState())) {
        throw e;
      }
    }
  }

  /** A checksum of the names and contents of all migrations. */
  private String mark() throws IOException {
    Resource[] migrations = resources.getResources(MIGRATIONS);
    Arrays.sort(migrations, Comparator.comparing(Resource::getFilename));
    MessageDigest digest = sha256();
    for (Resource migration : migrations) {
      digest.update((migration.getFilename() + "\0").getBytes(StandardCharsets.UTF_8));
      digest.update(migration.getContentAsByteArray());
    }
    return "applied: " + HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }
}

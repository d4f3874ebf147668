package palmares.infra;

import java.io.IOException;
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
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.ResourcePatternResolver;
import org.springframework.stereotype.Component;

/**
 * Brings the tables to where this program's migrations leave them, before anything uses them.
 * Flyway takes a second to find that there is nothing to do; so once it has looked, its own table
 * says by a comment which migrations it found applied, and only other ones let it look again.
 */
@Component
class Schema implements InitializingBean {
  private static final String MIGRATIONS = "classpath:db/migration/*.sql";
  private static final String NOT_ALLOWED = "42501";

  private static final String LOOKED =
      "select obj_description(to_regclass('flyway_schema_history'), 'pg_class')";

  private final DataSource dataSource;
  private final ResourcePatternResolver resources;

  Schema(DataSource dataSource, ResourcePatternResolver resources) {
    this.dataSource = dataSource;
    this.resources = resources;
  }

  @Override
  public void afterPropertiesSet() throws IOException, SQLException {
    String mark = mark();
    if (!mark.equals(looked())) {
      Flyway.configure().dataSource(dataSource).load().migrate();
      leave(mark);
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

  /** Where the table is somebody else's, Flyway looks at every start. */
  private void leave(String mark) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("comment on table flyway_schema_history is '%s'".formatted(mark));
    } catch (SQLException e) {
      if (!NOT_ALLOWED.equals(e.getSQLState())) {
        throw e;
      }
    }
  }

  /** Another one for other migrations, by so much as a letter. */
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

package palmares.platform.infra;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Says which PostgreSQL could not be reached, or why it let nobody in. */
class PostgresUnavailableAnalyzer extends AbstractFailureAnalyzer<SQLException> {
  private final Environment environment;

  PostgresUnavailableAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, SQLException cause) {
    String remedy = remedy(String.valueOf(cause.getSQLState()));
    return remedy.isEmpty()
        ? null
        : new FailureAnalysis(
            "PostgreSQL at %s cannot be used: %s".formatted(where(), cause.getMessage()),
            remedy,
            cause);
  }

  /** Without the parameters, among which a password may be. */
  private String where() {
    String url = environment.getProperty("spring.datasource.url", "the embedded address");
    return url.split("\\?", 2)[0];
  }

  /** By the classes of PostgreSQL's error codes; empty for errors that are not about connecting. */
  private static String remedy(String state) {
    if (state.startsWith("08")) {
      return "Start it, or correct spring.datasource.url.";
    }
    if (state.startsWith("28")) {
      return "Correct spring.datasource.username and spring.datasource.password, or let the user in"
          + " (pg_hba.conf).";
    }
    if (state.equals("3D000")) {
      return "Create the database, or correct its name in spring.datasource.url.";
    }
    return state.equals("53300")
        ? "Allow more connections on the server (max_connections), or fewer here"
            + " (spring.datasource.hikari.maximum-pool-size)."
        : "";
  }
}

package palmares.platform.infra;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Explains at start-up why PostgreSQL cannot be used. */
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
            "PostgreSQL at %s cannot be used: %s".formatted(address(), cause.getMessage()),
            remedy,
            cause);
  }

  /** The URL without its parameters, which may contain a password. */
  private String address() {
    String url = environment.getProperty("spring.datasource.url", "the embedded server");
    return url.split("\\?", 2)[0];
  }

  /** Chosen by the class of the error code; empty for errors that do not concern connecting. */
  private static String remedy(String state) {
    if (state.startsWith("08")) {
      return "Start it, or correct spring.datasource.url.";
    }
    if (state.startsWith("28")) {
      return "Correct spring.datasource.username and spring.datasource.password, or allow the user"
          + " in pg_hba.conf.";
    }
    if (state.equals("3D000")) {
      return "Create the database, or correct its name in spring.datasource.url.";
    }
    return state.equals("53300")
        ? "Allow more connections on the server (max_connections), or reduce the pool"
            + " (spring.datasource.hikari.maximum-pool-size)."
        : "";
  }
}

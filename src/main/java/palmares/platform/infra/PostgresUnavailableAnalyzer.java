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
    if (cause instanceof PostgresUnavailable known) {
      return new FailureAnalysis(String.valueOf(known.getMessage()), known.remedy(), cause);
    }
    String remedy = PostgresUnavailable.remedy(String.valueOf(cause.getSQLState()));
    return remedy.isEmpty()
        ? null
        : new FailureAnalysis(
            "PostgreSQL at %s cannot be used: %s".formatted(address(), cause.getMessage()),
            remedy,
            cause);
  }

  private String address() {
    return PostgresUnavailable.address(
        environment.getProperty("spring.datasource.url", "the embedded server"));
  }
}

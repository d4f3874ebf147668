package palmares.platform.infra;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Explains at start-up why PostgreSQL cannot be used. */
class PostgresUnavailableAnalyzer extends AbstractFailureAnalyzer<SQLException> {
  private final Environment environment;

  PostgresUnavailableAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, SQLException cause) {
    if (cause instanceof PostgresUnavailable known) {
      return analysis(known.problem(), known.remedy(), cause);
    }
    Sentence remedy = PostgresUnavailable.remedy(cause);
    return remedy == null
        ? null
        : analysis(PostgresUnavailable.problem(address(), cause), remedy, cause);
  }

  private static FailureAnalysis analysis(Sentence problem, Sentence remedy, SQLException cause) {
    Texts texts = Texts.here();
    return new FailureAnalysis(texts.whole(problem), texts.whole(remedy), cause);
  }

  private String address() {
    return PostgresUnavailable.address(
        environment.getProperty("spring.datasource.url", "the embedded server"));
  }
}

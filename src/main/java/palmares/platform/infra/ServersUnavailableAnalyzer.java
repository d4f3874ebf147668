package palmares.platform.infra;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import palmares.platform.embedded.ServersUnavailable;

/** Reports the problem and its remedy at start-up instead of a stack trace. */
class ServersUnavailableAnalyzer extends AbstractFailureAnalyzer<ServersUnavailable> {
  @Override
  protected FailureAnalysis analyze(Throwable root, ServersUnavailable cause) {
    return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
  }
}

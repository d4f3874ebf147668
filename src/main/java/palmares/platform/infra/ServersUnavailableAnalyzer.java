package palmares.platform.infra;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.text.Texts;

/** Reports the problem and its remedy at start-up instead of a stack trace. */
class ServersUnavailableAnalyzer extends AbstractFailureAnalyzer<ServersUnavailable> {
  @Override
  protected FailureAnalysis analyze(Throwable root, ServersUnavailable cause) {
    Texts texts = Texts.here();
    return new FailureAnalysis(texts.whole(cause.problem()), texts.whole(cause.remedy()), cause);
  }
}

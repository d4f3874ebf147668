package palmares.platform.embedded;

import java.util.Locale;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Reports that PostgreSQL or Redis cannot be used, with the problem and its remedy. */
public final class ServersUnavailable extends RuntimeException {
  private final Sentence problem;
  private final Sentence remedy;

  public ServersUnavailable(Sentence problem, Sentence remedy) {
    super(Texts.in(Locale.ENGLISH).whole(problem, remedy));
    this.problem = problem;
    this.remedy = remedy;
  }

  public ServersUnavailable(Sentence problem, Sentence remedy, Throwable cause) {
    this(problem, remedy);
    initCause(cause);
  }

  public Sentence problem() {
    return problem;
  }

  public Sentence remedy() {
    return remedy;
  }

  /** Both in the language of the caller. */
  public Sentence said() {
    return Sentence.verbatim(Texts.here().whole(problem, remedy));
  }
}

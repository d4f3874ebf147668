package palmares.api.identity;

import org.springframework.security.core.AuthenticationException;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Signals that a caller cannot be signed in, with the problem that answers the request. */
final class SignInFailed extends AuthenticationException {
  private final Problem problem;

  private final transient Sentence said;

  SignInFailed(Problem problem, Sentence said) {
    super(Texts.english(said));
    this.problem = problem;
    this.said = said;
  }

  Refusal problem() {
    return new Refusal(problem, said);
  }
}

package palmares.api.identity;

import org.springframework.security.core.AuthenticationException;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;

/** Signals that a caller cannot be signed in, with the problem that answers the request. */
final class SignInFailed extends AuthenticationException {
  private final Problem problem;

  SignInFailed(Problem problem, String detail) {
    super(detail);
    this.problem = problem;
  }

  ProblemException problem() {
    return new ProblemException(problem, String.valueOf(getMessage()));
  }
}

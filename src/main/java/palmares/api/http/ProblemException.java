package palmares.api.http;

import org.springframework.http.HttpStatus;

/** Causes the request to be answered with a problem. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Problem problem;

  /**
   * @param detail what happened, where, and what to do
   */
  public ProblemException(Problem problem, String detail) {
    super(detail, null, false, false);
    this.problem = problem;
  }

  public HttpStatus status() {
    return problem.status();
  }

  public Problem problem() {
    return problem;
  }
}

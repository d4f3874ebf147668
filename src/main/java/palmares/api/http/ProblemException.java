package palmares.api.http;

import org.springframework.http.HttpStatus;

/** A request that is answered with a problem. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Problem problem;

  /**
   * @param detail what, where and what to do
   */
  public ProblemException(Problem problem, String detail) {
    super(detail, null, false, false);
    this.problem = problem;
  }

  /** The status that it is answered with. */
  public HttpStatus status() {
    return problem.status();
  }

  Problem problem() {
    return problem;
  }
}

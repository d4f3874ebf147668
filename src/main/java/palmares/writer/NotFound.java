package palmares.writer;

/** Something that a path names and that there is not. */
final class NotFound extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String problem;

  /**
   * @param problem the end of the problem's type
   */
  NotFound(String problem, String message) {
    super(message);
    this.problem = problem;
  }

  String problem() {
    return problem;
  }
}

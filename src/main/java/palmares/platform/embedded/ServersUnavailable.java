package palmares.platform.embedded;

/** Reports that PostgreSQL or Redis cannot be used, with the problem and its remedy. */
public final class ServersUnavailable extends RuntimeException {
  private final String problem;
  private final String remedy;

  public ServersUnavailable(String problem, String remedy) {
    super(problem + " " + remedy);
    this.problem = problem;
    this.remedy = remedy;
  }

  public ServersUnavailable(String problem, String remedy, Throwable cause) {
    this(problem, remedy);
    initCause(cause);
  }

  public String problem() {
    return problem;
  }

  public String remedy() {
    return remedy;
  }
}

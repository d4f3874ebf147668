package palmares.bench;

/** What was measured did not come out as it must: its time says nothing. */
public final class WrongResult extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WrongResult(String message) {
    super(message);
  }
}

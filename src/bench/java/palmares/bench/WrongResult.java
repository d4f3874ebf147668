package palmares.bench;

/** Thrown if the measured work produced a wrong result, so that its time means nothing. */
public final class WrongResult extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WrongResult(String message) {
    super(message);
  }
}

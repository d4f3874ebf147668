package palmares.period;

/** A transition that the period's present state does not allow. */
public final class WrongState extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WrongState(String message) {
    super(message);
  }
}

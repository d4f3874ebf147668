package palmares.period;

/** Reports that the state of a period does not allow what was asked for. */
public final class WrongState extends RuntimeException {
  public WrongState(String message) {
    super(message);
  }
}

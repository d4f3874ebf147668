package palmares.period;

/**
 * Reports that what was asked for is impossible as things stand; nothing was changed. The message
 * says why, and what to do first if anything helps.
 */
public final class WrongState extends RuntimeException {
  public WrongState(String message) {
    super(message);
  }
}

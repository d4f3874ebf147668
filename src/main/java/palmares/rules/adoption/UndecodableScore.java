package palmares.rules.adoption;

/**
 * A score that the encoding cannot have given: the board is adopted under a wrong one, or broken.
 */
public final class UndecodableScore extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UndecodableScore(String message) {
    super(message, null, false, false);
  }
}

package palmares.adoption;

/**
 * A score that the encoding cannot have given: the board is adopted under a wrong one, or broken.
 */
public final class Undecodable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Undecodable(String message) {
    super(message, null, false, false);
  }
}

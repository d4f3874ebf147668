package palmares.writer;

/** A request that brings more than one may. */
final class TooLarge extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TooLarge(String message) {
    super(message);
  }
}

package palmares.writer;

/** A request that carries no key in use. */
final class Unauthorized extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Unauthorized(String message) {
    super(message);
  }
}

package palmares.outbox;

/** A target did not take a batch, or did not say that it did. */
final class Undelivered extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean forGood;

  private Undelivered(String message, boolean forGood) {
    super(message);
    this.forGood = forGood;
  }

  static Undelivered forNow(String message) {
    return new Undelivered(message, false);
  }

  /** It will not take this or any other. */
  static Undelivered forGood(String message) {
    return new Undelivered(message, true);
  }

  boolean isForGood() {
    return forGood;
  }
}

package palmares.settlement.outbox;

/** A target did not take a batch, or did not say that it did. */
final class DeliveryFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean forGood;

  private DeliveryFailed(String message, boolean forGood) {
    super(message);
    this.forGood = forGood;
  }

  static DeliveryFailed forNow(String message) {
    return new DeliveryFailed(message, false);
  }

  /** It will not take this or any other. */
  static DeliveryFailed forGood(String message) {
    return new DeliveryFailed(message, true);
  }

  boolean isForGood() {
    return forGood;
  }
}

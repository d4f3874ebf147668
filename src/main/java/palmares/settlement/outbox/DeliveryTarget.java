package palmares.settlement.outbox;

/** Receives facts on behalf of another system. */
interface DeliveryTarget {
  /** The name that people and the database use. */
  String name();

  /** The target's address, without secrets. */
  String address();

  /** Which facts it gets. */
  Subscription facts();

  /** The most facts that it takes together. */
  default int maxBatch() {
    return Integer.MAX_VALUE;
  }

  /**
   * Sends a batch, and returns once the target has it.
   *
   * @throws DeliveryFailed if the target did not confirm the batch
   */
  void send(FactBatch batch);

  /** Signals that a target did not confirm a batch. */
  final class DeliveryFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean permanent;

    private DeliveryFailed(String message, boolean permanent) {
      super(message);
      this.permanent = permanent;
    }

    static DeliveryFailed temporary(String message) {
      return new DeliveryFailed(message, false);
    }

    /** The target takes no more batches. */
    static DeliveryFailed permanent(String message) {
      return new DeliveryFailed(message, true);
    }

    boolean isPermanent() {
      return permanent;
    }
  }
}

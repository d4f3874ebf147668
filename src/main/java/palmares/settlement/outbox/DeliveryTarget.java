package palmares.settlement.outbox;

/** Somebody who wants to hear of facts. */
interface DeliveryTarget {
  /** As people and the database call it. */
  String name();

  /** Where it is, with nothing secret in it. */
  String address();

  /**
   * Hands a batch over; returns once the target has it.
   *
   * @throws DeliveryFailed if it did not take it, or did not say that it did
   */
  void send(FactBatch batch);
}

package palmares.settlement.outbox;

/**
 * A transfer's place among those of its outcome, which are delivered in the order of these three.
 *
 * @param member empty for a place before all transfers
 * @param rule its number in the outcome, from 1
 * @param purpose its number as the payments store it, from 1
 */
record TransferKey(String member, int rule, int purpose) {
  /** Before all transfers. */
  static final TransferKey NONE = new TransferKey("", 0, 0);
}

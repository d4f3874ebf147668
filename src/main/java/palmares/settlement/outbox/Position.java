package palmares.settlement.outbox;

/**
 * How much has been delivered to a target.
 *
 * @param fact the number of the last fact that is delivered wholly; 0 for none
 * @param parts how many parts of the next one are: itself, then its transfers
 * @param after the last of these transfers; {@link TransferKey#NONE} for none
 */
record Position(long fact, long parts, TransferKey after) {
  static Position behind(long fact) {
    return new Position(fact, 0, TransferKey.NONE);
  }
}

package palmares.outbox;

/**
 * How far a target has been told.
 *
 * @param fact the number of the last fact that is told wholly; 0 for none
 * @param parts how many parts of the next one are: itself, then its transfers
 * @param transfer the id of the last of them; 0 for none
 */
record Position(long fact, long parts, long transfer) {}

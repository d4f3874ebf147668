package palmares.ledger;

/**
 * What the ledger holds for a posting once it is done, whoever posted it.
 *
 * @param transfers how many there are
 */
public record Posted(long transfers) {}

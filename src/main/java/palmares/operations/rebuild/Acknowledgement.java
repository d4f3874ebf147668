package palmares.operations.rebuild;

/**
 * A person's word that a period may close without what it lost after its seal.
 *
 * @param by the person's name; never blank
 * @param reason in the person's own words; never blank
 */
public record Acknowledgement(String by, String reason) {}

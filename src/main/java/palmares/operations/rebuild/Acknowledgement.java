package palmares.operations.rebuild;

/**
 * A person's consent to close a period without what it lost after its seal.
 *
 * @param by the person's name; not blank
 * @param reason in the person's own words; not blank
 */
public record Acknowledgement(String by, String reason) {}

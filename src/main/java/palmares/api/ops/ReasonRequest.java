package palmares.api.ops;

/**
 * A request body with only a reason.
 *
 * @param reason the caller's own words, 1 to 500 characters, for the audit log
 */
public record ReasonRequest(String reason) {}

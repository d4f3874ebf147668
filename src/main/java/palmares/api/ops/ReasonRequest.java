package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import palmares.period.auditlog.AuditEntry;

/**
 * A request body with only a reason.
 *
 * @param reason the caller's own words, as {@link AuditEntry#storableReason} takes them
 */
public record ReasonRequest(@Nullable String reason) {}

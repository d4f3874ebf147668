package palmares.period.auditlog;

import org.jspecify.annotations.Nullable;

/**
 * What a person did, and why.
 *
 * @param by the person's name; never blank
 * @param verb one word, as the command is called: approve, exclude
 * @param board null if it concerns all boards
 * @param period the name of the period; null if it concerns no single one
 * @param revision null if it concerns no single one
 * @param member null if it concerns no single one
 * @param reason in the person's own words; never blank
 */
public record AuditEntry(
    String by,
    String verb,
    @Nullable String board,
    @Nullable String period,
    @Nullable Integer revision,
    @Nullable String member,
    String reason) {
  public AuditEntry {
    if (by.isBlank() || reason.isBlank()) {
      throw new IllegalArgumentException("an audit entry needs a name and a reason");
    }
  }
}

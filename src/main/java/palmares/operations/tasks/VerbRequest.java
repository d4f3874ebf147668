package palmares.operations.tasks;

import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.period.auditlog.AuditDetails;
import palmares.period.auditlog.AuditEntry;

/**
 * What a caller of a verb asks for.
 *
 * @param board null if it concerns no single one
 * @param period null if it concerns no single one
 * @param body what the caller sent; its text identifies the request
 * @param details of the audit entry
 * @param isRecordedFirst whether the audit entry of a long verb is stored before its work begins
 */
public record VerbRequest(
    String verb,
    @Nullable String board,
    @Nullable String period,
    String reason,
    Object body,
    AuditDetails details,
    boolean isRecordedFirst) {

  public VerbRequest(
      String verb, @Nullable String board, @Nullable String period, String reason, Object body) {
    this(verb, board, period, reason, body, AuditDetails.NONE, false);
  }

  /** A request that concerns one period. */
  public VerbRequest(String verb, Period period, String reason, Object body) {
    this(verb, period.board().value(), period.name().value(), reason, body);
  }

  /** The same request, whose audit entry has one more detail. */
  public VerbRequest with(String name, @Nullable Object value) {
    return new VerbRequest(
        verb, board, period, reason, body, details.with(name, value), isRecordedFirst);
  }

  /**
   * The same request, for work in several transactions, none of which stores the audit entry. If
   * the process dies, the entry says who asked for what was done until then.
   */
  public VerbRequest recordedFirst() {
    return new VerbRequest(verb, board, period, reason, body, details, true);
  }

  public AuditEntry entry(String by) {
    return new AuditEntry(by, verb, board, period, null, null, reason, details);
  }
}

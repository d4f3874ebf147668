package palmares.period.auditlog;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * Says what a person did, and why.
 *
 * @param by the person's name; never blank
 * @param verb one of {@link #VERBS}, as the command is called
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
  /** The known verbs, each of which has a word in every language of the console. */
  public static final Set<String> VERBS =
      Set.of(
          "accept",
          "accept-loss",
          "add-person",
          "add-to-list",
          "amend",
          "amend-batch",
          "approve",
          "approve-batch",
          "archive",
          "cancel-batch",
          "change-password",
          "check-archive",
          "close",
          "close-batch",
          "create-key",
          "create-list",
          "decide-ties",
          "disable-person",
          "discard-entry",
          "discarded-entries",
          "dismiss",
          "drop-orphans",
          "enable-person",
          "end-sessions",
          "exclude",
          "exclude-file",
          "forget",
          "forget-target",
          "hold",
          "import",
          "lift",
          "lift-hold",
          "pause",
          "rebuild",
          "redeliver",
          "reject",
          "reject-batch",
          "release-entry",
          "released-entries",
          "remove-from-list",
          "reset-password",
          "restart",
          "restart-batch",
          "resume",
          "resume-batch",
          "retry-deliveries",
          "revoke-key",
          "rewrite-archive",
          "rotate-key",
          "set-local-approvals",
          "set-roles",
          "verify");

  public AuditEntry {
    if (by.isBlank() || reason.isBlank()) {
      throw new IllegalArgumentException("an audit entry needs a name and a reason");
    }
  }

  /** An entry about a period as a whole. */
  public static AuditEntry of(
      BoardId board, PeriodName period, String by, String verb, String reason) {
    return new AuditEntry(by, verb, board.value(), period.value(), null, null, reason);
  }
}

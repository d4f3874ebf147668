package palmares.period.auditlog;

import java.util.Optional;
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
  /** The longest reason of a person that is stored, in characters of Unicode. */
  public static final int MAX_REASON_LENGTH = 500;

  /** The known verbs, each of which has a word in every language of the console. */
  public static final Set<String> VERBS =
      Set.of(
          "accept",
          "accept-exclusion",
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
          "extend",
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

  /**
   * Returns a reason without blanks around it, whose lines end with a line feed, as forms end them
   * otherwise. Empty if it cannot be stored: it has 1 to 500 characters, none of them a control
   * character but line feeds, or half of a surrogate pair.
   */
  public static Optional<String> storableReason(String text) {
    return Optional.of(text.strip().replace("\r\n", "\n"))
        .filter(
            stripped ->
                !stripped.isEmpty()
                    && stripped.codePointCount(0, stripped.length()) <= MAX_REASON_LENGTH
                    && stripped.codePoints().allMatch(AuditEntry::isStorable));
  }

  private static boolean isStorable(int character) {
    boolean half = Character.getType(character) == Character.SURROGATE;
    return character == '\n' || !half && !Character.isISOControl(character);
  }
}

package palmares.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.api.http.InputSentences;
import palmares.cli.terminal.CommandSentences.Missing;
import palmares.cli.terminal.UserError;
import palmares.operations.tasks.Call;
import palmares.period.auditlog.AuditEntry;
import picocli.CommandLine.Option;

/** The options of all commands that change something: why, whether really, and under what. */
class ChangeOptions {
  @Option(names = "--dry-run", description = "Says what would change, and changes nothing.")
  private boolean dryRun;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "A repeat with the same key gets the first result, and does nothing again.")
  private @Nullable String key;

  @Option(
      names = "--if-match",
      paramLabel = "ETAG",
      description =
          "Refuses the verb if the object has changed since a list or a dry run showed this ETag.")
  private @Nullable String ifMatch;

  /**
   * Checks a reason.
   *
   * @throws UserError if it cannot be stored
   */
  static String checked(String reason) {
    return AuditEntry.storableReason(reason)
        .orElseThrow(
            () -> UserError.badInput(new InputSentences.NotAReason(AuditEntry.MAX_REASON_LENGTH)));
  }

  /** How a verb is called. */
  Call call() {
    return new Call(dryRun, key, ifMatch);
  }

  /** The options of a command that needs a reason. */
  static final class WithReason extends ChangeOptions {
    @Option(
        names = "--reason",
        required = true,
        paramLabel = "TEXT",
        description = "The reason, for the audit log.")
    private String reason = "";

    String reason() {
      return checked(reason);
    }
  }

  /** The options of a command that machines run without a reason, too. */
  static final class MaybeReason extends ChangeOptions {
    @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit log.")
    private @Nullable String reason;

    /** Whether a reason is given. */
    boolean hasReason() {
      return reason != null && !checked(reason).isEmpty();
    }

    /** The reason of a call that changes something, though another call of the command does not. */
    String required() {
      if (!hasReason()) {
        throw UserError.badUsage(new Missing(List.of("--reason=TEXT")));
      }
      return reason("");
    }

    /**
     * The reason.
     *
     * @param usual the reason if none is given
     */
    String reason(String usual) {
      return reason == null ? usual : checked(reason);
    }
  }
}

package palmares.cli;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import palmares.cli.launch.CommonOptions;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.live.board.JournalEntry.Undecodable;
import palmares.live.journal.JournalGap;
import palmares.live.journal.JournalQuarantined;
import palmares.live.journal.QuarantineRefused;
import palmares.operations.amendment.AmendmentRefused;
import palmares.operations.batches.BatchRefused;
import palmares.operations.lateevents.LateEventRefused;
import palmares.operations.rebuild.LossRefused;
import palmares.operations.rebuild.RebuildRefused;
import palmares.operations.rebuild.ReplayDiffers;
import palmares.period.PeriodBusy;
import palmares.period.WrongState;
import palmares.period.exclusion.ExclusionRefused;
import palmares.platform.form.Suggestion;
import palmares.settlement.outcome.SamePersonRefused;
import palmares.settlement.reward.AwardsTooLarge;
import palmares.settlement.reward.TiesRefused;
import palmares.settlement.verification.VerificationFailed;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Prints an error in one line and gives the exit code. With {@code --verbose} the stack trace is
 * printed, too.
 */
record ErrorMessages(Terminal terminal, CommonOptions options)
    implements IParameterExceptionHandler, IExecutionExceptionHandler {

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    print(usage(e));
    printHint(e.getCommandLine());
    return UserError.BAD_INPUT;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine line, ParseResult parsed) {
    if (options.verbose()) {
      e.printStackTrace(terminal.err());
    }
    UserError userError = e instanceof UserError error ? error : refusal(e);
    if (userError != null) {
      print(String.valueOf(userError.getMessage()));
      if (userError.isUsage()) {
        printHint(line);
      }
      return userError.exitCode();
    }
    if (isShuttingDown()) {
      return UserError.FAILED; // The shutdown has closed the connections that the error is about.
    }
    Throwable cause = NestedExceptionUtils.getMostSpecificCause(e);
    print(
        "%s failed: %s%s"
            .formatted(
                line.getCommandName(),
                cause.getMessage() == null ? cause : cause.getMessage(),
                options.verbose() ? "" : " (--verbose shows more)"));
    return UserError.FAILED;
  }

  /** What the domain refused, as an error with an exit code; null for bugs and outages. */
  private static @Nullable UserError refusal(Exception e) {
    String message = String.valueOf(e.getMessage());
    if (e instanceof PeriodBusy || e instanceof VerificationFailed) {
      return UserError.failed(message + "; nothing was changed", e);
    }
    if (e instanceof JournalGap
        || e instanceof JournalQuarantined
        || e instanceof Undecodable
        || e instanceof ReplayDiffers
        || e instanceof LossRefused) {
      return UserError.failed(message, e);
    }
    return e instanceof AmendmentRefused
            || e instanceof AwardsTooLarge
            || e instanceof BatchRefused
            || e instanceof ExclusionRefused
            || e instanceof LateEventRefused
            || e instanceof QuarantineRefused
            || e instanceof RebuildRefused
            || e instanceof SamePersonRefused
            || e instanceof TiesRefused
            || e instanceof WrongState
        ? UserError.badInput(message)
        : null;
  }

  /** Whether the process is shutting down: Java registers no more hooks then. */
  private static boolean isShuttingDown() {
    var probe = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private void print(String message) {
    terminal.note(
        "palmares: " + message.lines().map(TerminalText::of).collect(Collectors.joining("\n")));
  }

  private void printHint(CommandLine line) {
    terminal.note("Try '%s --help'.".formatted(line.getCommandSpec().qualifiedName()));
  }

  private static String usage(ParameterException e) {
    CommandLine line = e.getCommandLine();
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      String word = unmatched.getUnmatched().get(0);
      if (word.startsWith("-")) {
        return "there is no option '%s'%s"
            .formatted(word, Suggestion.hint(word, line.getCommandSpec().optionsMap().keySet()));
      }
      if (!line.getSubcommands().isEmpty()) {
        return "there is no command '%s'%s"
            .formatted(word, Suggestion.hint(word, line.getSubcommands().keySet()));
      }
    }
    return String.valueOf(e.getMessage());
  }
}

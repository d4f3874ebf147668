package palmares.cli;

import org.springframework.core.NestedExceptionUtils;
import palmares.cli.launch.CommonOptions;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.platform.form.Suggestion;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what went wrong in a line; the stack is for those who ask for it. */
record ErrorMessages(Terminal terminal, CommonOptions settings)
    implements IParameterExceptionHandler, IExecutionExceptionHandler {

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    say(usage(e));
    terminal.note(
        "Try '%s --help'.".formatted(e.getCommandLine().getCommandSpec().qualifiedName()));
    return UserError.BAD_INPUT;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine line, ParseResult parsed) {
    if (settings.verbose()) {
      e.printStackTrace(terminal.err());
    }
    if (e instanceof UserError userError) {
      say(String.valueOf(userError.getMessage()));
      return userError.exitCode();
    }
    if (isStopping()) {
      return UserError.FAILED; // Whoever stopped it knows why its connections are closed.
    }
    Throwable cause = NestedExceptionUtils.getMostSpecificCause(e);
    say(
        "%s went wrong: %s%s"
            .formatted(
                line.getCommandName(),
                cause.getMessage() == null ? cause : cause.getMessage(),
                settings.verbose() ? "" : " (--verbose shows more)"));
    return UserError.FAILED;
  }

  /** Java does not tell; but it takes no more hooks then. */
  private static boolean isStopping() {
    var probe = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private void say(String what) {
    what.lines()
        .map(TerminalText::of)
        .reduce((above, below) -> above + "\n" + below)
        .ifPresent(lines -> terminal.note("palmares: " + lines));
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

package palmares.cli;

import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import palmares.cli.launch.CommonOptions;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.UserError;
import palmares.platform.Refusal;
import palmares.platform.form.Suggestion;
import palmares.platform.infra.PostgresUnavailable;
import palmares.platform.output.TerminalText;
import palmares.platform.threads.Outages;
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
    Optional<String> server = Outages.server(e);
    if (server.isPresent()) {
      print(
          "%s cannot be used any more (%s): the same command goes on once it can"
              .formatted(server.get(), Outages.reason(e)));
      return UserError.UNREACHABLE;
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

  /** What was refused, here or by the server, as an error with an exit code; null for bugs. */
  private static @Nullable UserError refusal(Exception e) {
    PostgresUnavailable unavailable = PostgresUnavailable.in(e);
    if (unavailable != null) {
      return UserError.unreachable(unavailable.sentence(), e);
    }
    return e instanceof Refusal refused ? TaskOutput.error(refused) : null;
  }

  /** Reports an argument with characters that would name another member, file or reason. */
  int unreadable(String argument) {
    print(
        ("the argument '%s' has characters that cannot be read: the locale's encoding is %s; set"
                + " LC_ALL=C.UTF-8, and write it in UTF-8")
            .formatted(argument, System.getProperty("sun.jnu.encoding")));
    return UserError.BAD_INPUT;
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

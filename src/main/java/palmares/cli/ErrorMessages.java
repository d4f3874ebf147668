package palmares.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import palmares.cli.launch.CommonOptions;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.UserError;
import palmares.platform.Refusal;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.infra.PostgresUnavailable;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Sentence;
import palmares.platform.text.SettingSentences;
import palmares.platform.text.Texts;
import palmares.platform.threads.Outages;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
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
    print(Texts.here().of(usage(e)));
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
      print(Texts.here().of(userError.said()));
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
      print(Texts.here().of(new CommandSentences.Outage(server.get(), Outages.reason(e))));
      return UserError.UNREACHABLE;
    }
    Throwable cause = NestedExceptionUtils.getMostSpecificCause(e);
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    var more = options.verbose() ? null : new CommandSentences.ShowsMore("--verbose");
    print(Texts.here().of(new CommandSentences.Failed(line.getCommandName(), why, more)));
    return UserError.FAILED;
  }

  /** What was refused, here or by the server, as an error with an exit code; null for bugs. */
  private static @Nullable UserError refusal(Exception e) {
    PostgresUnavailable unavailable = PostgresUnavailable.in(e);
    if (unavailable != null) {
      return UserError.unreachable(unavailable.said(), e);
    }
    return e instanceof Refusal refused ? TaskOutput.error(refused) : null;
  }

  /** Reports an argument with characters that would name another member, file or reason. */
  int unreadable(String argument) {
    print(
        Texts.here()
            .of(
                new CommandSentences.UnreadableArgument(
                    argument, System.getProperty("sun.jnu.encoding"), "LC_ALL=C.UTF-8")));
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
    String help = line.getCommandSpec().qualifiedName() + " --help";
    terminal.note(Texts.here().whole(new CommandSentences.Try(help)));
  }

  private static Sentence usage(ParameterException e) {
    CommandLine line = e.getCommandLine();
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      String word = unmatched.getUnmatched().get(0);
      if (word.startsWith("-")) {
        return new CommandSentences.UnknownOption(
            word, DidYouMean.of(word, line.getCommandSpec().optionsMap().keySet()));
      }
      if (!line.getSubcommands().isEmpty()) {
        return new CommandSentences.UnknownCommand(
            word, DidYouMean.of(word, line.getSubcommands().keySet()));
      }
    }
    if (e instanceof MissingParameterException missing) {
      return new CommandSentences.Missing(
          missing.getMissing().stream().map(ErrorMessages::spelled).toList());
    }
    if (e instanceof OverwrittenOptionException twice) {
      return new CommandSentences.NamedTwice(named(twice.getOverwritten()));
    }
    ArgSpec arg = e.getArgSpec();
    if (arg != null && e.getValue() != null) {
      Sentence rule =
          SettingSentences.of(arg.auxiliaryTypes()[0])
              .orElseGet(() -> new SettingSentences.Like(arg.paramLabel()));
      return new SettingSentences.Wrong(named(arg), e.getValue(), rule);
    }
    return arg == null && !line.getSubcommands().isEmpty()
        ? new CommandSentences.NameCommand(List.copyOf(line.getSubcommands().keySet()))
        : Sentence.verbatim(String.valueOf(e.getMessage()));
  }

  private static String named(ArgSpec arg) {
    return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
  }

  private static String spelled(ArgSpec missing) {
    return missing instanceof OptionSpec option
        ? option.longestName() + "=" + option.paramLabel()
        : missing.paramLabel();
  }
}

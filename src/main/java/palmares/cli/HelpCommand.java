package palmares.cli;

import java.util.List;
import java.util.concurrent.Callable;
import palmares.cli.terminal.CommandSentences.UnknownCommand;
import palmares.cli.terminal.UserError;
import palmares.platform.form.FormSentences.DidYouMean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the help of a command. */
@Command(
    name = "help",
    description = "Shows the help of a command, as its option --help does.",
    exitCodeList = {"0:shown", "2:bad usage, or an unknown command"},
    footer = "  palmares help late accept")
final class HelpCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "The command, and a command of it (default: lists the commands).")
  private List<String> words = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    CommandLine line = spec.root().commandLine();
    for (String word : words) {
      CommandLine next = line.getSubcommands().get(word);
      if (next == null) {
        throw UserError.badInput(
            new UnknownCommand(word, DidYouMean.of(word, line.getSubcommands().keySet())));
      }
      line = next;
    }
    line.usage(spec.commandLine().getOut());
    return 0;
  }
}

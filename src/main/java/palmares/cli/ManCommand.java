package palmares.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.Session;
import palmares.cli.terminal.AtomicFile;
import palmares.cli.terminal.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints or writes manual pages. */
@Command(
    name = "man",
    description = "Prints the manual page of a command, or writes all of them to a folder.",
    exitCodeList = {"0:printed or written", "1:a page cannot be written", "2:bad usage"},
    footer = {"  palmares man close | man -l -", "  palmares man --out /usr/local/share/man/man1"})
final class ManCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(
      arity = "0..1",
      paramLabel = "COMMAND",
      description = "The command (default: palmares itself).")
  private @Nullable String command;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Writes palmares.1 and a page for each command to DIR.")
  private @Nullable Path out;

  @Spec private CommandSpec spec = CommandSpec.create();

  ManCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    CommandLine main = spec.root().commandLine();
    if (out == null) {
      CommandLine shown = command == null ? main : main.getSubcommands().get(command);
      if (shown == null) {
        throw UserError.badInput("there is no command '%s'", command);
      }
      session.print(page(shown).stripTrailing());
      return 0;
    }
    write(out, "palmares", main);
    return 0;
  }

  private static void write(Path folder, String name, CommandLine line) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw UserError.failed("the folder %s cannot be created: %s", folder, e);
    }
    AtomicFile.write(folder.resolve(name + ".1"), writer -> writer.write(page(line)));
    line.getSubcommands().forEach((word, each) -> write(folder, name + "-" + word, each));
  }

  /** The page in the language of man(7). */
  private static String page(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    UsageMessageSpec usage = spec.usageMessage();
    String name = spec.qualifiedName("-");
    var page = new StringBuilder();
    page.append(".TH %s 1\n".formatted(name.toUpperCase(Locale.ROOT)));
    section(page, "NAME", name + " - " + first(usage.description()));
    page.append(".SH SYNOPSIS\n.nf\n%s\n.fi\n".formatted(escaped(line.getHelp().synopsis(0))));
    section(page, "DESCRIPTION", String.join("\n", usage.description()));
    arguments(page, "ARGUMENTS", spec.positionalParameters());
    arguments(page, "OPTIONS", spec.options());
    entries(
        page,
        "COMMANDS",
        line.getSubcommands().entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    each -> first(each.getValue().getCommandSpec().usageMessage().description()),
                    (one, other) -> one,
                    LinkedHashMap::new)));
    entries(page, "EXIT STATUS", usage.exitCodeList());
    if (usage.footer().length > 0) {
      page.append(".SH EXAMPLES\n.nf\n");
      List.of(usage.footer()).forEach(example -> page.append(escaped(example)).append('\n'));
      page.append(".fi\n");
    }
    return page.toString();
  }

  private static String first(String... description) {
    return description.length == 0 ? "" : description[0].split("(?<=[.:]) ", 2)[0];
  }

  private static void section(StringBuilder page, String title, String text) {
    page.append(".SH %s\n%s\n".formatted(title, escaped(text)));
  }

  private static void arguments(
      StringBuilder page, String title, List<? extends ArgSpec> arguments) {
    var described = new LinkedHashMap<String, String>();
    for (ArgSpec argument : arguments) {
      String names =
          argument instanceof OptionSpec option
              ? String.join(", ", option.names()) + (argument.arity().max() == 0 ? "" : " ")
              : "";
      String label = argument.arity().max() == 0 ? "" : argument.paramLabel();
      described.put(names + label, String.join(" ", argument.description()));
    }
    entries(page, title, described);
  }

  private static void entries(StringBuilder page, String title, Map<String, String> entries) {
    if (!entries.isEmpty()) {
      page.append(".SH %s\n".formatted(title));
      entries.forEach(
          (name, text) ->
              page.append(".TP\n\\fB%s\\fR\n%s\n".formatted(escaped(name), escaped(text))));
    }
  }

  /** A text in which nothing is a request or an escape of man(7). */
  private static String escaped(String text) {
    String plain = Ansi.OFF.string(text.replace("%n", "\n"));
    return plain
        .replace("\\", "\\e")
        .replace("-", "\\-")
        .lines()
        .map(line -> line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line)
        .collect(Collectors.joining("\n"));
  }
}

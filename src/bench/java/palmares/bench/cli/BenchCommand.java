package palmares.bench.cli;

import java.util.Locale;
import palmares.Palmares;
import palmares.cli.Cli;
import palmares.cli.launch.CommonOptions;
import palmares.cli.launch.Launcher;
import palmares.cli.launch.Session;
import palmares.cli.launch.SpringLauncher;
import palmares.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The benchmark's main class. */
@Command(
    name = BenchCommand.NAME,
    description = {
      "Measures Palmares on this machine. Each figure is compared with the floor of its parts or"
          + " with the usual way, measured in the same run.",
      "",
      "Embedded servers are created empty for each call (--data, default: ./data/bench). External"
          + " servers must be empty; the measured data stays in them."
    },
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:measured, even if a target was missed",
      "1:the measurement failed, or a measured result was wrong",
      "2:bad usage, or servers that are not empty: nothing was changed"
    },
    footerHeading = "%nExample:%n",
    footer = {"  palmares-bench close --members 1000000 --json close.json"})
final class BenchCommand {
  static final String NAME = "palmares-bench";

  @Mixin private final CommonOptions options;

  private BenchCommand(CommonOptions options) {
    this.options = options;
  }

  public static void main(String... arguments) {
    Locale.setDefault(Locale.ROOT);
    System.exit(run(Terminal.ofProcess(), new SpringLauncher(Palmares.class), arguments));
  }

  /**
   * Runs one call.
   *
   * @return the exit code
   */
  static int run(Terminal terminal, Launcher launcher, String... arguments) {
    var options = new CommonOptions();
    var session = new Session(terminal, options, launcher);
    var commands =
        new CommandLine(new BenchCommand(options))
            .addSubcommand(new BenchCloseCommand(session))
            .addSubcommand(new BenchSmallCommand(session))
            .addSubcommand(new BenchWriteCommand(session))
            .addSubcommand(new BenchReadCommand(session))
            .addSubcommand(new BenchStartCommand(session))
            .addSubcommand(new BenchNodesCommand(session))
            .addSubcommand(new BenchLoadCommand(session))
            .addSubcommand(new BenchSchedulerCommand(session))
            .addSubcommand(new BenchConsoleCommand(session))
            .addSubcommand(new BenchPageCommand(session));
    return Cli.run(terminal, options, commands, arguments);
  }
}

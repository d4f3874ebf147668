package palmares.cli.bench;

import palmares.cli.launch.Session;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Measures this machine. */
@Command(
    name = "bench",
    description = {
      "Measures this program on this machine, each figure beside the floor of its parts or the"
          + " usual way, in the same run.",
      "",
      "Begins afresh each time, in servers of its own (--data, default: ./data/bench); servers that"
          + " are named must be empty, and are left with what was measured."
    },
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:measured, whatever came out",
      "1:it could not be measured, or what was measured came out wrong",
      "2:bad usage, or servers that are not empty: nothing was changed"
    },
    footerHeading = "%nExample:%n",
    footer = {"  palmares bench close --members 1000000 --json close.json"})
public final class BenchCommand {
  private BenchCommand() {}

  /** With all that it measures; a new one is added here. */
  public static CommandLine of(Session session) {
    return new CommandLine(new BenchCommand())
        .addSubcommand(new BenchCloseCommand(session))
        .addSubcommand(new BenchSmallCommand(session))
        .addSubcommand(new BenchWriteCommand(session))
        .addSubcommand(new BenchReadCommand(session))
        .addSubcommand(new BenchStartCommand(session))
        .addSubcommand(new BenchLoadCommand(session))
        .addSubcommand(new BenchPageCommand(session));
  }
}

package palmares.cli;

import java.io.PrintWriter;
import java.time.Clock;
import palmares.cli.bench.BenchCommand;
import palmares.cli.launch.Launcher;
import palmares.cli.launch.Session;
import palmares.cli.launch.Settings;
import palmares.cli.launch.SpringLauncher;
import palmares.cli.terminal.Terminal;
import picocli.CommandLine;

/** The door: finds the command that was called, runs it, and says how it ended. */
public final class Cli {
  private Cli() {}

  /**
   * Runs one call on the process's own terminal.
   *
   * @param application what Spring begins with where a command needs it
   * @param clock for what needs no database, and so has no better one
   * @return the exit code: 0 all is well, 1 it did not come out right, 2 bad usage or bad input
   */
  public static int run(Class<?> application, Clock clock, String... arguments) {
    return run(Terminal.ofProcess(), new SpringLauncher(application), clock, arguments);
  }

  /** As above, on another terminal, and with another way to start. */
  static int run(Terminal terminal, Launcher launcher, Clock clock, String... arguments) {
    var settings = new Settings();
    var session = new Session(terminal, settings, launcher);
    var complaints = new Complaints(terminal, settings);
    int exitCode =
        commands(settings, session, clock)
            .setOut(new PrintWriter(terminal.out(), true))
            .setErr(new PrintWriter(terminal.err(), true))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setUsageHelpWidth(100)
            .setParameterExceptionHandler(complaints)
            .setExecutionExceptionHandler(complaints)
            .execute(arguments);
    terminal.out().flush();
    terminal.err().flush();
    return exitCode;
  }

  /** Every command; a new one is added here. */
  private static CommandLine commands(Settings settings, Session session, Clock clock) {
    return new CommandLine(new MainCommand(settings))
        .addSubcommand(new DemoCommand(session))
        .addSubcommand(new ServerCommand(session))
        .addSubcommand(new ImportCommand(session))
        .addSubcommand(new CloseCommand(session))
        .addSubcommand(new PreviewCommand(session))
        .addSubcommand(new ApproveCommand(session))
        .addSubcommand(new RejectCommand(session))
        .addSubcommand(new RestartCommand(session))
        .addSubcommand(new AmendCommand(session))
        .addSubcommand(new WhatIfCommand(session))
        .addSubcommand(new ReportCommand(session))
        .addSubcommand(new TiersCommand(session))
        .addSubcommand(new RunsCommand(session))
        .addSubcommand(new ManifestCommand(session))
        .addSubcommand(new ActsCommand(session))
        .addSubcommand(new ExplainCommand(session))
        .addSubcommand(new LateCommand(session))
        .addSubcommand(new LedgerCommand(session))
        .addSubcommand(new VerifyCommand(session))
        .addSubcommand(new RebuildCommand(session))
        .addSubcommand(new ExcludeCommand(session))
        .addSubcommand(new ExclusionsCommand(session))
        .addSubcommand(new OutboxCommand(session))
        .addSubcommand(new MemoryCommand(session))
        .addSubcommand(new ArchiveCommand(session))
        .addSubcommand(new BoardsCommand(session, clock))
        .addSubcommand(new ApiKeysCommand(session))
        .addSubcommand(BenchCommand.of(session));
  }
}

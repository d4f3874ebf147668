package palmares.cli;

import java.io.PrintWriter;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.CommonOptions;
import palmares.cli.launch.Launcher;
import palmares.cli.launch.Session;
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
    var settings = new CommonOptions();
    var session = new Session(terminal, settings, launcher);
    return run(terminal, settings, commands(settings, session, clock, arguments), arguments);
  }

  /**
   * Runs one call of a program that has other commands than Palmares, but its options, messages and
   * exit codes.
   */
  public static int run(
      Terminal terminal, CommonOptions settings, CommandLine commands, String... arguments) {
    var errorMessages = new ErrorMessages(terminal, settings);
    int exitCode =
        commands
            .setOut(new PrintWriter(terminal.out(), true))
            .setErr(new PrintWriter(terminal.err(), true))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setUsageHelpWidth(100)
            .setParameterExceptionHandler(errorMessages)
            .setExecutionExceptionHandler(errorMessages)
            .execute(arguments);
    terminal.out().flush();
    terminal.err().flush();
    return exitCode;
  }

  /** The command that is called, or every one if none or an unknown one is. */
  private static CommandLine commands(
      CommonOptions settings, Session session, Clock clock, String... arguments) {
    Map<String, Supplier<Object>> all = all(session, clock);
    var line = new CommandLine(new MainCommand(settings));
    @Nullable Supplier<Object> called = arguments.length == 0 ? null : all.get(arguments[0]);
    if (called == null) {
      all.forEach((name, command) -> line.addSubcommand(name, command.get()));
    } else {
      line.addSubcommand(arguments[0], called.get()); // The others take a while to be read.
    }
    return line;
  }

  /** Every command by its name; a new one is added here. */
  private static Map<String, Supplier<Object>> all(Session session, Clock clock) {
    var all = new LinkedHashMap<String, Supplier<Object>>();
    all.put("demo", () -> new DemoCommand(session));
    all.put("server", () -> new ServerCommand(session));
    all.put("info", () -> new InfoCommand(session));
    all.put("import", () -> new ImportCommand(session));
    all.put("close", () -> new CloseCommand(session));
    all.put("preview", () -> new PreviewCommand(session));
    all.put("approve", () -> new ApproveCommand(session));
    all.put("reject", () -> new RejectCommand(session));
    all.put("restart", () -> new RestartCommand(session));
    all.put("amend", () -> new AmendCommand(session));
    all.put("what-if", () -> new WhatIfCommand(session));
    all.put("report", () -> new ReportCommand(session));
    all.put("tiers", () -> new TiersCommand(session));
    all.put("runs", () -> new RunsCommand(session));
    all.put("manifest", () -> new ManifestCommand(session));
    all.put("acts", () -> new AuditCommand(session));
    all.put("explain", () -> new ExplainCommand(session));
    all.put("late", () -> new LateCommand(session));
    all.put("ledger", () -> new LedgerCommand(session));
    all.put("verify", () -> new VerifyCommand(session));
    all.put("rebuild", () -> new RebuildCommand(session));
    all.put("journal", () -> JournalCommand.of(session));
    all.put("exclude", () -> new ExcludeCommand(session));
    all.put("exclusions", () -> new ExclusionsCommand(session));
    all.put("outbox", () -> new OutboxCommand(session));
    all.put("memory", () -> new MemoryCommand(session));
    all.put("archive", () -> new ArchiveCommand(session));
    all.put("boards", () -> new BoardsCommand(session, clock));
    all.put("api-keys", () -> new ApiKeysCommand(session));
    return all;
  }
}

package palmares.cli;

import java.io.PrintWriter;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;
import palmares.cli.launch.CommonOptions;
import palmares.cli.launch.Launcher;
import palmares.cli.launch.Session;
import palmares.cli.launch.SpringLauncher;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Runs the command that the arguments name. */
public final class Cli {
  /** The commands that read the definitions of all others. */
  private static final Set<String> META_COMMANDS = Set.of("help", "completion");

  /** What exit code 4 means, for every command that needs a server. */
  static final String UNREACHABLE =
      "PostgreSQL, Redis or the server cannot be reached or used: the message names the setting";

  private static final List<String> OF_OTHER_SERVERS = List.of("--url", "--token", "--profile");

  private static final List<String> ABOUT_SERVERS =
      List.of("--url", "--token", "--profile", "--data", "--jobs", "-D");

  /** The common options that commands refuse or do nothing with, and whose help hides them. */
  private static final Map<String, List<String>> HIDDEN_OPTIONS =
      Map.of(
          "palmares server",
          OF_OTHER_SERVERS,
          "palmares demo",
          OF_OTHER_SERVERS,
          "palmares boards check",
          List.of("--url", "--token", "--profile", "--data"),
          "palmares boards new",
          List.of("--url", "--token", "--profile", "--data"),
          "palmares completion",
          ABOUT_SERVERS,
          "palmares help",
          ABOUT_SERVERS);

  /** What Java puts in place of bytes that are no characters in the encoding of the locale. */
  private static final char UNREADABLE = '\uFFFD';

  private Cli() {}

  /**
   * Runs one call on the standard streams of the process.
   *
   * @param application the Spring application of commands that need one
   * @param clock for commands that need no database, whose clock others use
   * @return the exit code: 0 success, 1 failure, 2 bad usage or bad input, 3 approval needed, 4 a
   *     server cannot be reached
   */
  public static int run(Class<?> application, Clock clock, String... arguments) {
    return run(Terminal.ofProcess(), new SpringLauncher(application), clock, arguments);
  }

  /** As above, on another terminal and with another launcher. */
  static int run(Terminal terminal, Launcher launcher, Clock clock, String... arguments) {
    var options = new CommonOptions();
    var session = new Session(terminal, options, launcher);
    LocaleContextHolder.setLocale(options.language());
    try {
      return run(terminal, options, commands(options, session, clock, arguments), arguments);
    } finally {
      session.close();
      LocaleContextHolder.resetLocaleContext();
    }
  }

  /**
   * Runs one call of a program with other commands, but the same options, messages and exit codes.
   */
  public static int run(
      Terminal terminal, CommonOptions options, CommandLine commands, String... arguments) {
    var errorMessages = new ErrorMessages(terminal, options);
    for (String argument : arguments) {
      if (argument.indexOf(UNREADABLE) >= 0) {
        return errorMessages.unreadable(argument);
      }
    }
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

  /** The command that is called; all commands if none or an unknown one is. */
  private static CommandLine commands(
      CommonOptions options, Session session, Clock clock, String... arguments) {
    Map<String, Supplier<Object>> all = all(session, clock);
    var line = new CommandLine(new MainCommand(options));
    boolean aboutAll = arguments.length == 0 || META_COMMANDS.contains(arguments[0]);
    @Nullable Supplier<Object> called = aboutAll ? null : all.get(arguments[0]);
    if (called == null) {
      all.forEach((name, command) -> line.addSubcommand(name, command.get()));
    } else {
      // Reading the annotations of all takes long.
      line.addSubcommand(arguments[0], called.get());
    }
    line.getSubcommands().values().forEach(Cli::formatHelp);
    return line;
  }

  /** Gives all commands the same headings. */
  private static void formatHelp(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage().sortOptions(false);
    if (!usage.exitCodeList().isEmpty()) {
      usage.exitCodeListHeading("%nExit codes:%n");
      if (needsServer(command.getCommandSpec())) {
        var codes = new LinkedHashMap<String, String>(usage.exitCodeList());
        codes.put(String.valueOf(UserError.UNREACHABLE), UNREACHABLE);
        usage.exitCodeList(codes);
      }
    }
    if (usage.footer().length > 0) {
      usage.footerHeading("%nExamples:%n");
    }
    hideOptions(command.getCommandSpec());
    command.getSubcommands().values().forEach(Cli::formatHelp);
  }

  private static boolean needsServer(CommandSpec command) {
    return !HIDDEN_OPTIONS.getOrDefault(command.qualifiedName(), List.of()).contains("--data");
  }

  private static void hideOptions(CommandSpec command) {
    for (String name : HIDDEN_OPTIONS.getOrDefault(command.qualifiedName(), List.of())) {
      OptionSpec option = command.findOption(name);
      command.remove(option);
      command.addOption(OptionSpec.builder(option).hidden(true).build());
    }
  }

  /** All commands by name, in the order of the help. */
  private static Map<String, Supplier<Object>> all(Session session, Clock clock) {
    var all = new LinkedHashMap<String, Supplier<Object>>();
    all.put("demo", () -> new DemoCommand(session));
    all.put("server", () -> new ServerCommand(session));
    all.put("info", () -> new InfoCommand(session));
    all.put("import", () -> new ImportCommand(session));
    all.put("inbox", () -> new InboxCommand(session));
    all.put("close", () -> new CloseCommand(session));
    all.put("periods", () -> new PeriodsCommand(session));
    all.put("preview", () -> new PreviewCommand(session));
    all.put("hold", () -> new HoldCommand(session));
    all.put("extend", () -> new ExtendCommand(session));
    all.put("approve", () -> new ApproveCommand(session));
    all.put("reject", () -> new RejectCommand(session));
    all.put("restart", () -> new RestartCommand(session));
    all.put("pause", () -> new PauseCommand(session));
    all.put("resume", () -> new ResumeCommand(session));
    all.put("amend", () -> new AmendCommand(session));
    all.put("batches", () -> new BatchesCommand(session));
    all.put("what-if", () -> new WhatIfCommand(session));
    all.put("report", () -> new ReportCommand(session));
    all.put("member", () -> new MemberCommand(session));
    all.put("fame", () -> new FameCommand(session));
    all.put("month", () -> new MonthCommand(session));
    all.put("tiers", () -> new TiersCommand(session));
    all.put("runs", () -> new RunsCommand(session));
    all.put("manifest", () -> new ManifestCommand(session));
    all.put("audit", () -> new AuditCommand(session));
    all.put("explain", () -> new ExplainCommand(session));
    all.put("late", () -> new LateCommand(session));
    all.put("ledger", () -> new LedgerCommand(session));
    all.put("verify", () -> new VerifyCommand(session));
    all.put("rebuild", () -> new RebuildCommand(session));
    all.put("journal", () -> JournalCommand.of(session));
    all.put("exclude", () -> new ExcludeCommand(session));
    all.put("lists", () -> new ListsCommand(session));
    all.put("exclusions", () -> new ExclusionsCommand(session));
    all.put("forget", () -> new ForgetCommand(session));
    all.put("outbox", () -> new OutboxCommand(session));
    all.put("memory", () -> new MemoryCommand(session));
    all.put("archive", () -> new ArchiveCommand(session));
    all.put("boards", () -> new BoardsCommand(session, clock));
    all.put("people", () -> new PeopleCommand(session));
    all.put("api-keys", () -> new ApiKeysCommand(session));
    all.put("completion", () -> new CompletionCommand(session));
    all.put("help", HelpCommand::new);
    return all;
  }
}

package palmares.cli;

import java.io.PrintWriter;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** All commands, in the order of the help. */
  private static final List<String> COMMANDS =
      List.of(
          "demo",
          "server",
          "info",
          "import",
          "inbox",
          "close",
          "periods",
          "preview",
          "hold",
          "extend",
          "approve",
          "reject",
          "restart",
          "pause",
          "resume",
          "amend",
          "tasks",
          "what-if",
          "report",
          "member",
          "invites",
          "fame",
          "month",
          "tiers",
          "runs",
          "manifest",
          "audit",
          "explain",
          "late",
          "withheld",
          "ledger",
          "verify",
          "rebuild",
          "journal",
          "exclude",
          "lists",
          "exclusions",
          "forget",
          "outbox",
          "reconcile",
          "replay",
          "memory",
          "archive",
          "boards",
          "people",
          "api-keys",
          "completion",
          "help");

  /** The common options that commands refuse or do nothing with, and whose help hides them. */
  private static final Map<String, List<String>> HIDDEN_OPTIONS =
      Map.of(
          "palmares server",
          OF_OTHER_SERVERS,
          "palmares demo",
          OF_OTHER_SERVERS,
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
    return run(terminal, new CommonOptions(), launcher, clock, arguments);
  }

  /** As above, in another environment. */
  static int run(
      Terminal terminal,
      CommonOptions options,
      Launcher launcher,
      Clock clock,
      String... arguments) {
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
    var line = new CommandLine(new MainCommand(options));
    boolean isAboutAll =
        arguments.length == 0
            || META_COMMANDS.contains(arguments[0])
            || !COMMANDS.contains(arguments[0]);
    for (String name : isAboutAll ? COMMANDS : List.of(arguments[0])) {
      line.addSubcommand(name, command(name, session, clock));
    }
    line.getSubcommands().values().forEach(command -> prepare(command, session));
    return line;
  }

  private static void prepare(CommandLine command, Session session) {
    if (command.getCommandSpec().userObject() instanceof ApiCommand called) {
      called.session = session;
    }
    formatHelp(command);
    command.getSubcommands().values().forEach(each -> prepare(each, session));
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

  /** Of all commands only the one that is called is loaded. */
  private static Object command(String name, Session session, Clock clock) {
    return switch (name) {
      case "demo" -> new DemoCommand(session);
      case "server" -> new ServerCommand(session);
      case "info" -> new InfoCommand();
      case "import" -> new ImportCommand(session);
      case "close" -> new CloseCommand();
      case "hold" -> new DecisionCommands.HoldCommand();
      case "extend" -> new DecisionCommands.ExtendCommand();
      case "approve" -> new DecisionCommands.ApproveCommand();
      case "reject" -> new DecisionCommands.RejectCommand();
      case "restart" -> new RestartCommand();
      case "pause" -> new DecisionCommands.PauseCommand();
      case "resume" -> new DecisionCommands.ResumeCommand();
      case "amend" -> new AmendCommand();
      case "tasks" -> new TasksCommand();
      case "late" -> new JournalCommands.LateCommand();
      case "withheld" -> new WithheldCommand();
      case "rebuild" -> new JournalCommands.RebuildCommand();
      case "journal" -> new JournalCommands.JournalCommand();
      case "exclude" -> new ExcludeCommand();
      case "lists" -> new ExclusionCommands.ListsCommand();
      case "forget" -> new ExclusionCommands.ForgetCommand();
      case "outbox" -> new OutboxCommand();
      case "reconcile" -> new ReconcileCommand();
      case "memory" -> new MemoryCommand();
      case "archive" -> new ArchiveCommand();
      case "boards" -> new BoardsCommand(clock);
      case "people" -> new AccountCommands.PeopleCommand();
      case "api-keys" -> new AccountCommands.ApiKeysCommand();
      case "completion" -> new CompletionCommand(session);
      case "help" -> new HelpCommand();
      default -> readingCommand(name);
    };
  }

  private static Object readingCommand(String name) {
    return switch (name) {
      case "preview" -> new PeriodCommands.PreviewCommand();
      case "periods" -> new PeriodCommands.PeriodsCommand();
      case "inbox" -> new InboxCommand();
      case "what-if" -> new WhatIfCommand();
      case "report" -> new ReportCommand();
      case "member" -> new HistoryCommands.MemberCommand();
      case "invites" -> new HistoryCommands.InvitesCommand();
      case "fame" -> new HistoryCommands.FameCommand();
      case "month" -> new HistoryCommands.MonthCommand();
      case "tiers" -> new HistoryCommands.TiersCommand();
      case "runs" -> new PeriodCommands.RunsCommand();
      case "manifest" -> new PeriodCommands.ManifestCommand();
      case "audit" -> new PeriodCommands.AuditCommand();
      case "explain" -> new PeriodCommands.ExplainCommand();
      case "ledger" -> new LedgerCommand();
      case "verify" -> new JournalCommands.VerifyCommand();
      case "exclusions" -> new ExclusionCommands.ExclusionsCommand();
      case "replay" -> new ReplayCommand();
      default -> throw new IllegalArgumentException(name);
    };
  }
}

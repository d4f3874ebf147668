package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.output.OutputTable;
import palmares.live.journal.Quarantine;
import palmares.live.journal.Quarantine.QuarantinedEntry;
import palmares.live.journal.Quarantine.Resolution;
import palmares.period.Period;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands about the journals of live boards. */
@Command(
    name = "journal",
    description = "Shows and repairs the journals of live boards.",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeList = {"0:done", "2:bad usage: nothing was changed"},
    footer = {"  palmares journal quarantine"})
final class JournalCommand {
  private static final String PURPOSE = "journal";

  private JournalCommand() {}

  /** The command with its subcommands. */
  static CommandLine of(Session session) {
    return new CommandLine(new JournalCommand())
        .addSubcommand(new CommandLine(new QuarantineCommand(session)));
  }

  /** Lists journal entries that PostgreSQL refused, and resolves them. */
  @Command(
      name = "quarantine",
      description = {
        "Lists the journal entries that PostgreSQL refused. Their periods are not paid until a"
            + " person has resolved each entry.",
        "",
        "'release' stores an entry as an event, once the cause of its refusal is repaired."
            + " 'discard' stores it without effect; the live board counts it until 'palmares"
            + " rebuild BOARD PERIOD --replace' has run."
      },
      customSynopsis = {
        "palmares journal quarantine [OPTIONS] [BOARD [PERIOD]]",
        "   or: palmares journal quarantine release [OPTIONS] BOARD PERIOD NUMBER...",
        "   or: palmares journal quarantine discard [OPTIONS] BOARD PERIOD NUMBER..."
      },
      exitCodeList = {
        "0:the list is complete, or all named entries are resolved",
        "2:bad usage, an unknown board or period, or an entry that cannot be resolved so: the"
            + " message names it, and those before it are resolved"
      },
      footer = {
        "  palmares journal quarantine invites 2026-W47",
        "  palmares journal quarantine release invites 2026-W47 1712 --reason 'schema repaired'"
      })
  static final class QuarantineCommand implements Callable<Integer> {
    private static final int MAX_ENTRIES = 100_000;

    private static final OutputTable<QuarantinedEntry> COLUMNS =
        new OutputTable<QuarantinedEntry>()
            .text("board", QuarantinedEntry::board)
            .text("period", QuarantinedEntry::period)
            .number("number", QuarantinedEntry::seq)
            .text("quarantined_at", QuarantinedEntry::at)
            .text("entry", QuarantinedEntry::entry)
            .text("error", QuarantinedEntry::error)
            .text("decision", QuarantinedEntry::resolution);

    private final Session session;

    @Mixin private BoardFilter.WithPeriod filter = new BoardFilter.WithPeriod();

    @Option(names = "--all", description = "Resolved entries, too.")
    private boolean all;

    @Mixin private Output output = new Output();

    QuarantineCommand(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() throws IOException {
      Catalogue boards = session.boards();
      try (RunningApplication app = session.start(PURPOSE, boards)) {
        var arguments = new Arguments(boards, app);
        BoardId board = filter.board(arguments);
        PeriodName period =
            board == null || filter.period() == null
                ? null
                : arguments.period(board, filter.period()).name();
        List<QuarantinedEntry> entries =
            app.get(Quarantine.class).list(board, period, all, MAX_ENTRIES);
        output.write(
            session,
            writer -> COLUMNS.write(output, writer, "no quarantined entries", entries::forEach));
      }
      return 0;
    }

    @Command(name = "release", description = "Stores entries as events.")
    int release(@Mixin Entries entries, @Mixin Actor actor) {
      return resolve(Resolution.RELEASED, entries, actor);
    }

    @Command(name = "discard", description = "Stores entries without effect.")
    int discard(@Mixin Entries entries, @Mixin Actor actor) {
      return resolve(Resolution.DISCARDED, entries, actor);
    }

    /** The entries to resolve. */
    static final class Entries {
      @Mixin private PeriodArgument target = new PeriodArgument();

      @Parameters(
          index = "2..*",
          arity = "1..*",
          paramLabel = "NUMBER",
          description = "The numbers of the entries, as the list shows them.")
      private List<Long> numbers = List.of();
    }

    private int resolve(Resolution resolution, Entries entries, Actor actor) {
      String by = Actor.by();
      String reason = actor.reason();
      Catalogue boards = session.boards();
      try (RunningApplication app = session.start(PURPOSE, boards)) {
        Period period = entries.target.find(app, boards);
        for (long number : entries.numbers) {
          app.get(Quarantine.class).resolve(period, number, resolution, by, reason);
          session.print("entry %d of %s is %s", number, period.label(), resolution.word());
        }
        if (resolution == Resolution.DISCARDED) {
          session.note(
              "'palmares rebuild %s --replace' removes them from the live board", period.label());
        }
      }
      return 0;
    }
  }
}

package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.UserError;
import palmares.live.journal.Quarantine;
import palmares.live.journal.Quarantine.QuarantinedEntry;
import palmares.live.journal.Quarantine.Resolution;
import palmares.live.journal.QuarantineRefused;
import palmares.operations.report.PeriodHistory;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands about the journals of live boards. */
@Command(
    name = "journal",
    description = "Shows and repairs what the journals of live boards hold.",
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "2:bad usage: nothing was changed"},
    footerHeading = "%nExample:%n",
    footer = {"  palmares journal quarantine"})
final class JournalCommand {
  private static final LaunchOptions LAUNCH = LaunchOptions.of("journal");

  private JournalCommand() {}

  /** With all its subcommands; a new one is added here. */
  static CommandLine of(Session session) {
    return new CommandLine(new JournalCommand())
        .addSubcommand(new CommandLine(new QuarantineCommand(session)));
  }

  /** Lists journal entries that PostgreSQL refused, and decides on them. */
  @Command(
      name = "quarantine",
      description = {
        "Lists the journal entries that PostgreSQL refused. Their periods are not paid until a"
            + " person decides on each.",
        "",
        "'release' stores an entry as the event that it is, once the cause of its refusal is gone."
            + " 'discard' lets it count nowhere; the live board counts it until 'palmares rebuild"
            + " BOARD PERIOD --replace' has been run."
      },
      customSynopsis = {
        "palmares journal quarantine [OPTIONS] [BOARD [PERIOD]]",
        "   or: palmares journal quarantine release [OPTIONS] BOARD PERIOD NUMBER...",
        "   or: palmares journal quarantine discard [OPTIONS] BOARD PERIOD NUMBER..."
      },
      sortOptions = false,
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:the list is complete, or all that is named is decided",
        "2:bad usage, an unknown board or period, or an entry that cannot be decided so: the"
            + " message names it, and those before it are decided"
      },
      footerHeading = "%nExample:%n",
      footer = {
        "  palmares journal quarantine invites 2026-W47",
        "  palmares journal quarantine release invites 2026-W47 1712 --reason 'schema repaired'"
      })
  static final class QuarantineCommand implements Callable<Integer> {
    private static final int MOST = 100_000;

    private static final OutputTable<QuarantinedEntry> SHEET =
        new OutputTable<QuarantinedEntry>()
            .text("board", QuarantinedEntry::board)
            .text("period", QuarantinedEntry::period)
            .number("number", QuarantinedEntry::seq)
            .text("quarantined_at", QuarantinedEntry::at)
            .text("entry", QuarantinedEntry::entry)
            .text("error", QuarantinedEntry::error)
            .text("decision", QuarantinedEntry::resolution);

    private final Session session;

    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "BOARD",
        description = "Only this board's entries.")
    private @Nullable String board;

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "PERIOD",
        description = "Only those of that period.")
    private @Nullable String period;

    @Option(names = "--all", description = "Also those that a person has decided on.")
    private boolean all;

    @Mixin private Output output = new Output();

    QuarantineCommand(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() throws IOException {
      Catalogue boards = session.boards();
      try (RunningApplication app = session.start(LAUNCH, boards)) {
        var names = new ArgumentLookup(boards, app.get(PeriodHistory.class));
        BoardId id = board == null ? null : names.board(board);
        PeriodName name = id == null || period == null ? null : period(names, id, period, app);
        List<QuarantinedEntry> held = app.get(Quarantine.class).list(id, name, all, MOST);
        output.write(
            session,
            writer -> SHEET.write(output, writer, "no quarantined entries", held::forEach));
      }
      return 0;
    }

    private static PeriodName period(
        ArgumentLookup names, BoardId board, String word, RunningApplication app) {
      return ArgumentLookup.name(word)
          .filter(name -> app.get(Periods.class).find(board, name).isPresent())
          .orElseThrow(() -> names.unknownPeriod(board, word));
    }

    @Command(
        name = "release",
        description = "Stores entries as the events that they are.",
        sortOptions = false)
    int release(@Mixin Named named, @Mixin Actor actor) {
      return resolve(Resolution.RELEASED, named, actor);
    }

    @Command(name = "discard", description = "Lets entries count nowhere.", sortOptions = false)
    int discard(@Mixin Named named, @Mixin Actor actor) {
      return resolve(Resolution.DISCARDED, named, actor);
    }

    /** Which entries are decided on. */
    static final class Named {
      @Mixin private PeriodArgument target = new PeriodArgument();

      @Parameters(
          index = "2..*",
          arity = "1..*",
          paramLabel = "NUMBER",
          description = "The entries' numbers, as the list shows them.")
      private List<Long> numbers = List.of();
    }

    private int resolve(Resolution resolution, Named named, Actor actor) {
      String by = actor.by();
      String reason = actor.reason();
      Catalogue boards = session.boards();
      try (RunningApplication app = session.start(LAUNCH, boards)) {
        Period found = named.target.find(app, boards);
        for (long number : named.numbers) {
          app.get(Quarantine.class).resolve(found, number, resolution, by, reason);
          session
              .terminal()
              .print("entry %d of %s is %s".formatted(number, found.label(), resolution.word()));
        }
        if (resolution == Resolution.DISCARDED) {
          session
              .terminal()
              .note(
                  "'palmares rebuild %s --replace' takes them off the live board"
                      .formatted(found.label()));
        }
      } catch (QuarantineRefused e) {
        throw UserError.badInput(String.valueOf(e.getMessage()));
      }
      return 0;
    }
  }
}

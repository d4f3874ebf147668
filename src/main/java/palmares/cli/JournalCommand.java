package palmares.cli;

import java.util.List;
import palmares.api.ops.InstallationResource;
import palmares.api.ops.Listing;
import palmares.api.ops.MaintenanceResource;
import palmares.api.ops.MaintenanceResource.Entries;
import palmares.api.ops.PageRequest;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
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
  static final class QuarantineCommand extends PagedReadCommand {
    @Option(names = "--all", description = "Resolved entries, too.")
    private boolean all;

    QuarantineCommand(Session session) {
      super(session);
    }

    @Override
    Listing page(Client client, PageRequest page) {
      return client
          .get(InstallationResource.class)
          .quarantine(filter.board(), filter.period(), all, page);
    }

    @Command(name = "release", description = "Stores entries as events.")
    int release(@Mixin Named named, @Mixin ChangeOptions.WithReason acting) {
      var entries = new Entries(acting.reason(), named.numbers);
      return act(
          acting,
          MaintenanceResource.class,
          (maintenance, call) ->
              maintenance.release(named.target.board(), named.target.period(), entries, call));
    }

    @Command(name = "discard", description = "Stores entries without effect.")
    int discard(@Mixin Named named, @Mixin ChangeOptions.WithReason acting) {
      var entries = new Entries(acting.reason(), named.numbers);
      return act(
          acting,
          MaintenanceResource.class,
          (maintenance, call) ->
              maintenance.discard(named.target.board(), named.target.period(), entries, call));
    }

    /** The entries to resolve. */
    static final class Named {
      @Mixin private PeriodArgument target = new PeriodArgument();

      @Parameters(
          index = "2..*",
          arity = "1..*",
          paramLabel = "NUMBER",
          description = "The numbers of the entries, as the list shows them.")
      private List<Long> numbers = List.of();
    }
  }
}

package palmares.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.api.ops.LateEventResource;
import palmares.api.ops.LateEventResource.Decision;
import palmares.api.ops.Listing;
import palmares.api.ops.MaintenanceResource;
import palmares.api.ops.MaintenanceResource.Entries;
import palmares.api.ops.MaintenanceResource.RebuildRequest;
import palmares.api.ops.PageRequest;
import palmares.api.ops.VerificationResource;
import palmares.api.ops.VerificationResource.VerificationRequest;
import palmares.cli.launch.Client;
import palmares.cli.terminal.CommandSentences.NameOneOf;
import palmares.cli.terminal.CommandSentences.Needs;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that verify periods, and repair journals and live boards. */
final class JournalCommands {
  private JournalCommands() {}

  /** Lists late events and decides on them. */
  @Command(
      name = "late",
      description = {
        "Lists the events that arrived after the seal or the grace. Each is evaluated: what it"
            + " would have given, and the rank that its member would have with it.",
        "",
        "'late accept' lets events count from the period's next amendment on. 'late dismiss' lets"
            + " them count nowhere. Both decide on all events that they name, or on none."
      },
      customSynopsis = {
        "palmares late [OPTIONS] [BOARD [PERIOD]]",
        "   or: palmares late accept [OPTIONS] BOARD PERIOD (ID... | --all)",
        "   or: palmares late dismiss [OPTIONS] BOARD PERIOD (ID... | --all)"
      },
      exitCodeList = {
        "0:the list is complete, or all is decided",
        "2:bad usage, an unknown board, period or id, or one that cannot count: nothing was changed"
      },
      footer = {
        "  palmares late invites 2026-W47",
        "  palmares late accept invites 2026-W47 --all --reason 'the gateway was down'",
        "  palmares amend invites 2026-W47 --reason 'the gateway was down'"
      })
  static final class LateCommand extends PagedReadCommand {

    @Option(names = "--undecided", description = "Only events without a decision.")
    private boolean undecided;

    @Override
    Listing page(Client client, PageRequest page) {
      return client
          .get(LateEventResource.class)
          .list(filter.board(), filter.period(), undecided, page);
    }

    @Command(
        name = "accept",
        description = "Lets late events count, from the period's next amendment on.")
    int accept(@Mixin Events events, @Mixin ChangeOptions.WithReason acting) {
      Decision decision = events.decision(acting.reason(), false);
      return act(
          acting,
          LateEventResource.class,
          (lateEvents, call) ->
              lateEvents.accept(events.target.board(), events.target.period(), decision, call));
    }

    @Command(name = "dismiss", description = "Lets late events count nowhere.")
    int dismiss(@Mixin Events events, @Mixin ChangeOptions.WithReason acting) {
      Decision decision = events.decision(acting.reason(), true);
      return act(
          acting,
          LateEventResource.class,
          (lateEvents, call) ->
              lateEvents.dismiss(events.target.board(), events.target.period(), decision, call));
    }

    /** The events to decide on. */
    static final class Events {
      @Mixin private PeriodArgument target = new PeriodArgument();

      @Parameters(
          index = "2..*",
          arity = "0..*",
          paramLabel = "ID",
          description = "The events' ids, as 'palmares late' lists them.")
      private List<String> ids = List.of();

      @Option(
          names = "--all",
          description = {
            "All events without a decision.",
            "To dismiss with --change: all that were accepted and count in no revision."
          })
      private boolean all;

      @Option(
          names = "--change",
          description = "Also changes an earlier decision that no revision rests on.")
      private boolean change;

      Decision decision(String reason, boolean dismisses) {
        if (all != ids.isEmpty() || (all && change && !dismisses)) {
          throw UserError.badUsage(NameOneOf.of("ID...", "--all"));
        }
        return new Decision(reason, all ? null : ids, all, change);
      }
    }
  }

  /** Verifies settled periods. */
  @Command(
      name = "verify",
      description = {
        "Derives every line and payment of settled periods again, from the journal, the rules and"
            + " the exclusions, and compares them with the stored ones.",
        "Without a BOARD it also finds rows that belong to no outcome and outcomes that were"
            + " erased, and prints the last link of each chain.",
        "Prints the first 50 differences, and a last line that counts everything."
      },
      exitCodeList = {
        "0:nothing is missing, extra or unequal",
        "1:there are differences",
        "2:bad usage, an unknown board or period, or one that is not settled"
      },
      footer = {
        "  palmares verify invites 2026-W47",
        "  palmares verify --link 'manifests 812 e07b...'",
        "  palmares verify --history"
      })
  static final class VerifyCommand extends ApiCommand implements Callable<Integer> {
    private static final int MAX_NIGHTS = 20;

    @Mixin private BoardFilter.WithPeriod filter = new BoardFilter.WithPeriod();

    @Option(
        names = "--history",
        description = "Shows what the last 20 nightly verifications found.")
    private boolean history;

    @Option(
        names = "--link",
        paramLabel = "LINK",
        description =
            "A link of a chain that you kept: CHAIN N HASH, a line that an earlier verification"
                + " printed, or the data of a fact. If the database has another one, this is a"
                + " difference. May be repeated.")
    private List<String> links = new ArrayList<>();

    @Mixin private Output output = new Output();

    @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

    @Override
    public Integer call() throws IOException {
      if (history) {
        return print(
            output,
            VerificationResource.class,
            verifications -> verifications.verifications(new PageRequest(MAX_NIGHTS, null)));
      }
      var order =
          new VerificationRequest(
              acting.reason("palmares verify"),
              filter.board(),
              filter.period(),
              links.isEmpty() ? null : links);
      return act(
          acting,
          VerificationResource.class,
          (verifications, call) -> verifications.verify(order, call));
    }
  }

  /** Rebuilds a live board from its journal. */
  @Command(
      name = "rebuild",
      description = {
        "Rebuilds a live board that Redis has lost, from the events that PostgreSQL has.",
        "",
        "Every event is decided again, and each decision must be the same, so that scores, ties,"
            + " ids and undos are as before. Meanwhile writers and readers get an answer that asks"
            + " them to retry. May be killed and run again. A period that is filled needs no"
            + " rebuild."
      },
      exitCodeList = {
        "0:the live board is rebuilt",
        "1:events are missing or differ, some would be lost, or another process holds the period",
        "2:bad usage, an unknown board or period, or a live board that exists: nothing was changed"
      },
      footer = "  palmares rebuild invites 2026-W47")
  static final class RebuildCommand extends ApiCommand implements Callable<Integer> {
    @Mixin private PeriodArgument target = new PeriodArgument();

    @Option(
        names = "--replace",
        description =
            "Also replaces a live board that exists, such as one that Redis restored from an older"
                + " state. What only Redis has is kept.")
    private boolean replace;

    @Option(
        names = "--accept-loss",
        description =
            "Gives up events that are neither in PostgreSQL nor in Redis, and what a sealed period"
                + " lacks; all other events are kept. Needs --reason; the loss is recorded in the"
                + " audit log, the manifest and the report.")
    private boolean acceptLoss;

    @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

    @Override
    public Integer call() {
      if (acceptLoss && !acting.hasReason()) {
        throw UserError.badInput(Needs.of("--accept-loss", "--reason"));
      }
      var order = new RebuildRequest(acting.reason("palmares rebuild"), replace, acceptLoss);
      return act(
          acting,
          MaintenanceResource.class,
          (maintenance, call) -> maintenance.rebuild(target.board(), target.period(), order, call));
    }
  }

  /** The commands about the journals of live boards. */
  @Command(
      name = "journal",
      description = "Shows and repairs the journals of live boards.",
      synopsisSubcommandLabel = "COMMAND",
      subcommands = JournalCommands.JournalCommand.QuarantineCommand.class,
      exitCodeList = {"0:done", "2:bad usage: nothing was changed"},
      footer = {"  palmares journal quarantine"})
  static final class JournalCommand {
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

      @Override
      Listing page(Client client, PageRequest page) {
        return client
            .get(MaintenanceResource.class)
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
}

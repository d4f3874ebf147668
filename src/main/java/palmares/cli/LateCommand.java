package palmares.cli;

import java.util.List;
import palmares.api.ops.LateEventResource;
import palmares.api.ops.LateEventResource.Decision;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists late events and decides on them. */
@Command(
    name = "late",
    description = {
      "Lists the events that arrived after the seal or the grace. Each is evaluated: what it would"
          + " have given, and the rank that its member would have with it.",
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
final class LateCommand extends PagedReadCommand {

  @Option(names = "--undecided", description = "Only events without a decision.")
  private boolean undecided;

  LateCommand(Session session) {
    super(session);
  }

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
        throw UserError.badUsage("name the events' IDs, or --all for those without a decision");
      }
      return new Decision(reason, all ? null : ids, all, change);
    }
  }
}

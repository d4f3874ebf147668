package palmares.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.api.ops.WithheldResource;
import palmares.api.ops.WithheldResource.LineDecision;
import palmares.cli.launch.Client;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the lines whose awards are withheld, and decides on them. */
@Command(
    name = "withheld",
    description = {
      "Lists the lines of inviters that the review of a board has flagged. What they are awarded is"
          + " withheld until a person has decided.",
      "",
      "'withheld release' lets the period's next amendment pay it. 'withheld refuse' never pays it."
          + " Both decide on all lines that they name, or on none, and a decision is final."
    },
    customSynopsis = {
      "palmares withheld [OPTIONS] [BOARD [PERIOD]]",
      "   or: palmares withheld release [OPTIONS] BOARD PERIOD (MEMBER... | --all)",
      "   or: palmares withheld refuse [OPTIONS] BOARD PERIOD (MEMBER... | --all)"
    },
    exitCodeList = {
      "0:the list is complete, or all is decided",
      "2:bad usage, an unknown board or period, or a line that is not flagged or was decided"
          + " before: nothing was changed"
    },
    footer = {
      "  palmares withheld invites 2026-W47",
      "  palmares withheld release invites 2026-W47 ann --reason 'a school class'",
      "  palmares amend invites 2026-W47 --reason 'pay what was withheld'"
    })
final class WithheldCommand extends PagedReadCommand {
  @Option(names = "--undecided", description = "Only lines without a decision.")
  private boolean undecided;

  @Option(names = "--member", paramLabel = "MEMBER", description = "Only lines of this member.")
  private @Nullable String member;

  @Override
  Listing page(Client client, PageRequest page) {
    return client
        .get(WithheldResource.class)
        .list(filter.board(), filter.period(), member, undecided, page);
  }

  @Command(name = "release", description = "Lets the next amendment pay what is withheld.")
  int release(@Mixin Lines lines, @Mixin ChangeOptions.WithReason acting) {
    var decision = lines.decision(acting.reason());
    return act(
        acting,
        WithheldResource.class,
        (withheld, call) ->
            withheld.release(lines.target.board(), lines.target.period(), decision, call));
  }

  @Command(name = "refuse", description = "Never pays what is withheld.")
  int refuse(@Mixin Lines lines, @Mixin ChangeOptions.WithReason acting) {
    var decision = lines.decision(acting.reason());
    return act(
        acting,
        WithheldResource.class,
        (withheld, call) ->
            withheld.refuse(lines.target.board(), lines.target.period(), decision, call));
  }

  /** The lines to decide on. */
  static final class Lines {
    @Mixin private PeriodArgument target = new PeriodArgument();

    @Parameters(
        index = "2..*",
        arity = "0..*",
        paramLabel = "MEMBER",
        description = "The members whose lines these are, as 'palmares withheld' lists them.")
    private List<String> members = List.of();

    @Option(names = "--all", description = "All lines without a decision.")
    private boolean all;

    private LineDecision decision(String reason) {
      return new LineDecision(reason, members.isEmpty() ? null : members, all);
    }
  }
}

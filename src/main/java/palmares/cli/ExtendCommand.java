package palmares.cli;

import java.util.concurrent.Callable;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ClosingResource.ExtensionRequest;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives an open period a later end. */
@Command(
    name = "extend",
    description = {
      "Gives a running period a later end, which its board's file need not have. The periods of the"
          + " other tiers of its family get the same end, and a next period that would begin before"
          + " begins then.",
      "",
      "An edited file changes later periods only. To end a season later, extend the season, and"
          + " edit the file, too."
    },
    exitCodeList = {
      "0:the period ends later",
      "1:another process works on the period",
      "2:bad usage, or the period is not open or cannot end then: nothing was changed"
    },
    footer = "  palmares extend league autumn --until 2026-12-02 --reason 'an outage of a day'")
final class ExtendCommand extends ApiCommand implements Callable<Integer> {
  @Mixin private PeriodArgument target = new PeriodArgument();

  @Option(
      names = "--until",
      required = true,
      paramLabel = "WHEN",
      description =
          "The new end: a day in the board's zone, with whose beginning the period ends, or a time"
              + " with its offset.")
  private String until = "";

  @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

  ExtendCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    var extension = new ExtensionRequest(acting.reason(), until);
    return act(
        acting,
        ClosingResource.class,
        (closings, call) -> closings.extend(target.board(), target.period(), extension, call));
  }
}

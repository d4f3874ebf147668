package palmares.cli;

import java.util.List;
import java.util.concurrent.Callable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ReasonRequest;
import palmares.cli.terminal.CommandSentences.RangeTakesNo;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Restarts a closing that failed or was rejected. */
@Command(
    name = "restart",
    description = {
      "Restarts a closing that failed, from the step where it stopped. A closing that was rejected"
          + " gets new ranks and awards, with the exclusions in force now.",
      "",
      "What is paid already is never paid again."
    },
    exitCodeList = {
      "0:settled",
      "1:it failed again, or another process holds the period",
      "2:bad usage, or nothing to restart: nothing was changed",
      "3:a person must approve or reject it first: nothing was paid"
    },
    customSynopsis = {
      "palmares restart [OPTIONS] BOARD PERIOD --reason TEXT",
      "   or: palmares restart [OPTIONS] BOARD|--all [--from DATE] [--to DATE] [--state STATE]"
          + " [--cause CODE]"
          + " --reason TEXT"
    },
    footer = {
      "  palmares restart invites 2026-W47 --reason 'Redis is back'",
      "  palmares restart invites --from 2026-11-01 --state failed --reason 'Redis is back'",
      "  palmares restart invites --cause 5e6f7a8b --reason 'the disk has space again'"
    })
final class RestartCommand extends ApiCommand implements Callable<Integer> {
  @Mixin private BoardFilter.WithPeriod target = new BoardFilter.WithPeriod();

  @Mixin private RangeOptions range = new RangeOptions();

  @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

  @Override
  public Integer call() {
    if (range.isGiven()) {
      if (target.period() != null) {
        throw UserError.badUsage(new RangeTakesNo(List.of("PERIOD")));
      }
      var order = range.order("restart", target.board(), acting.reason());
      return act(acting, BatchResource.class, (batches, call) -> batches.begin(order, call));
    }
    var named = target.required();
    return act(
        acting,
        ClosingResource.class,
        (closings, call) ->
            closings.restart(
                named.board(), named.period(), new ReasonRequest(acting.reason()), call));
  }
}

package palmares.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ClosingResource.ClosingRequest;
import palmares.cli.terminal.CommandSentences.NameOneOf;
import palmares.cli.terminal.CommandSentences.OnlyWith;
import palmares.cli.terminal.CommandSentences.RangeTakesNo;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Closes periods. */
@Command(
    name = "close",
    description = {
      "Closes one period, or all that are due, from the state that each has reached.",
      "",
      "May run next to a server, be run twice, or be killed and run again: nobody is paid twice."
          + " Failed periods are retried now, without the scheduler's delay."
    },
    customSynopsis = {
      "palmares close [OPTIONS] BOARD PERIOD",
      "   or: palmares close [OPTIONS] --due",
      "   or: palmares close [OPTIONS] BOARD|--all [--from DATE] [--to DATE] [--state STATE]"
          + " --reason TEXT"
    },
    exitCodeList = {
      "0:settled, now or before; with --due: nothing is left to settle",
      "1:a period failed, or another process or a running import still works on it",
      "2:bad usage, an unknown board or period, or one that is not over: nothing was changed",
      "3:a person must approve or reject it first: nothing was paid"
    },
    footer = {
      "  palmares close invites 2026-W47",
      "  palmares close --due",
      "  palmares close invites --from 2026-11-01 --to 2026-11-08 --reason 'after the outage'"
    })
final class CloseCommand extends ApiCommand implements Callable<Integer> {
  @Parameters(index = "0", arity = "0..1", paramLabel = "BOARD", description = "The board's id.")
  private @Nullable String board;

  @Parameters(index = "1", arity = "0..1", paramLabel = "PERIOD", description = PeriodArgument.NAME)
  private @Nullable String period;

  @Mixin private RangeOptions range = new RangeOptions();

  @Option(names = "--due", description = "All periods whose end and grace have passed.")
  private boolean due;

  @Option(
      names = "--stopped-imports",
      description =
          "With --due: also periods of imports that have not ended and show no sign of life for 10"
              + " seconds. Events that such an import has not read yet are late then.")
  private boolean stoppedImports;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "How long to retry a period that another process holds, but not a range (default: 60; the"
              + " lease of a killed process ends after 20).")
  private int timeoutSeconds;

  @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

  @Override
  public Integer call() {
    if (range.isGiven()) {
      if (due || stoppedImports || period != null) {
        throw UserError.badUsage(new RangeTakesNo(List.of("PERIOD", "--due", "--stopped-imports")));
      }
      var order = range.order("close", board, acting.required());
      return act(acting, BatchResource.class, (batches, call) -> batches.begin(order, call));
    }
    if (due ? board != null : board == null || period == null) {
      throw UserError.badUsage(NameOneOf.of("BOARD PERIOD", "--due"));
    }
    if (stoppedImports && !due) {
      throw UserError.badUsage(new OnlyWith(List.of("--stopped-imports"), "--due"));
    }
    Arguments.atLeast(0, "--wait", timeoutSeconds);
    var order = new ClosingRequest(acting.reason("palmares close"), timeoutSeconds, stoppedImports);
    return act(
        acting,
        ClosingResource.class,
        (closings, call) ->
            board != null && period != null
                ? closings.close(board, period, order, call)
                : closings.closeDue(order, call));
  }
}

package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.DeliveryResource;
import palmares.api.ops.DeliveryResource.TargetRequest;
import palmares.api.ops.Listing;
import palmares.cli.terminal.CommandSentences.Needs;
import palmares.cli.terminal.CommandSentences.OnlyWith;
import palmares.cli.terminal.CommandSentences.UseOnlyOne;
import palmares.cli.terminal.UserError;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the delivery status of webhooks, streams and mails, and delivers again. */
@Command(
    name = "outbox",
    description = {
      "Shows the delivery status of each target (webhook, stream, mail): the facts about"
          + " periods and payments that it has received, the backlog, and the last error.",
      "",
      "A new target gets the facts from its configuration on; --from delivers earlier ones, as far"
          + " as they are kept (palmares.outbox.retention).",
      "",
      "--attempts lists the latest attempts instead: when, what was sent, and what came back."
    },
    exitCodeList = {
      "0:no target is parked, or the attempts are listed",
      "1:a target is parked: its deliveries are not retried any more",
      "2:bad usage, or an unknown target: nothing was changed"
    },
    footer = {
      "  palmares outbox --retry --target webhook",
      "  palmares outbox --attempts --failed --target webhook"
    })
final class OutboxCommand extends ApiCommand implements Callable<Integer> {
  private static final String REASON = "palmares outbox";

  @Option(names = "--retry", description = "Retries failed deliveries now, parked targets too.")
  private boolean retry;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Delivers all facts from this time on again: a day (2026-11-20) or a time"
              + " (2026-11-20T10:00:00Z). The backlog of a target comes first.")
  private @Nullable String from;

  @Option(
      names = "--forget",
      description = "Removes the status of --target, one that no running server has configured.")
  private boolean forget;

  @Option(names = "--target", paramLabel = "NAME", description = "Only this target.")
  private @Nullable String target;

  @Option(names = "--all", description = "With --retry and --from: all targets, instead of one.")
  private boolean all;

  @Option(names = "--attempts", description = "Lists the attempts of deliveries, the latest first.")
  private boolean attempts;

  @Option(names = "--failed", description = "With --attempts: only those that failed.")
  private boolean failed;

  @Mixin private PageOptions pages = new PageOptions();

  @Mixin private Output output = new Output();

  @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

  @Override
  public Integer call() throws IOException {
    if (Stream.of(retry, from != null, forget, attempts).filter(given -> given).count() > 1) {
      throw UserError.badUsage(
          new UseOnlyOne(List.of("--retry", "--from", "--forget", "--attempts")));
    }
    if (!attempts && (failed || pages.isGiven())) {
      throw UserError.badUsage(
          new OnlyWith(List.of("--failed", "--count", "--after"), "--attempts"));
    }
    pages.check();
    if (forget && target == null) {
      throw UserError.badUsage(Needs.of("--forget", "--target"));
    }
    Arguments.time("--from", from);
    if (retry || forget || from != null) {
      var order = new TargetRequest(acting.reason(REASON), target, all, from);
      int exitCode =
          act(
              acting,
              DeliveryResource.class,
              (deliveries, call) -> change(deliveries, order, call));
      if (exitCode != 0 || forget) {
        return exitCode;
      }
    }
    return print(output, DeliveryResource.class, this::read);
  }

  private Listing read(DeliveryResource deliveries) {
    return attempts
        ? pages.read(page -> deliveries.attempts(target, failed, page))
        : deliveries.outbox(target);
  }

  private Task change(DeliveryResource deliveries, TargetRequest order, Call call) {
    return retry
        ? deliveries.retry(order, call)
        : forget ? deliveries.forget(order, call) : deliveries.redeliver(order, call);
  }
}

package palmares.cli;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.UserError;
import palmares.settlement.outbox.Deliveries;
import palmares.settlement.outbox.DeliveryStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the delivery status of webhooks, streams and mails, and delivers again. */
@Command(
    name = "outbox",
    description = {
      "Shows the delivery status of each target (webhook, stream, mail): the facts about"
          + " periods and payments that it has received, the backlog, and the last error.",
      "",
      "A new target gets the facts from its configuration on; --from delivers earlier ones, as far"
          + " as they are kept (palmares.outbox.keep)."
    },
    exitCodeList = {
      "0:no target is parked",
      "1:a target is parked: its deliveries are not retried any more",
      "2:bad usage, or an unknown target: nothing was changed"
    },
    footer = "  palmares outbox --retry --target webhook")
final class OutboxCommand implements Callable<Integer> {
  private static final OutputTable<DeliveryStatus> COLUMNS =
      new OutputTable<DeliveryStatus>()
          .text("target", DeliveryStatus::name)
          .wrapped("address", DeliveryStatus::address)
          .text("since", DeliveryStatus::since)
          .number("delivered", DeliveryStatus::delivered)
          .number("backlog", DeliveryStatus::waiting)
          .text("last", DeliveryStatus::deliveredAt)
          .text(
              "next try",
              status -> status.parkedAt() != null ? "parked: --retry" : status.retryAt())
          .wrapped("last error", DeliveryStatus::failure);

  private final Session session;

  @Option(names = "--retry", description = "Retries failed deliveries now, parked targets too.")
  private boolean retry;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Delivers all facts from this time on again: a day (2026-11-20) or a time"
              + " (2026-11-20T10:00:00Z).")
  private @Nullable String from;

  @Option(
      names = "--forget",
      description = "Removes the status of --target, one that is no longer configured.")
  private boolean forget;

  @Option(names = "--target", paramLabel = "NAME", description = "Only this target.")
  private @Nullable String target;

  OutboxCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (Stream.of(retry, from != null, forget).filter(given -> given).count() > 1) {
      throw UserError.badUsage("use only one of --retry, --from and --forget");
    }
    if (forget && target == null) {
      throw UserError.badUsage("--forget needs the --target to forget");
    }
    Instant time = TimeArgument.of("--from", from, ZoneOffset.UTC);
    try (RunningApplication app = session.start("outbox")) {
      Deliveries deliveries = app.get(Deliveries.class);
      requireKnown(deliveries);
      change(deliveries, time);
      return print(
          deliveries.all().stream()
              .filter(status -> target == null || status.name().equals(target))
              .toList());
    }
  }

  private void change(Deliveries deliveries, @Nullable Instant time) {
    if (retry) {
      deliveries.retry(target);
    } else if (forget) {
      deliveries.forget(String.valueOf(target));
    } else if (time != null && deliveries.redeliver(target, time) == 0) {
      throw UserError.badInput("no facts from %s on are kept, or there is no target", time);
    }
  }

  private void requireKnown(Deliveries deliveries) {
    List<String> names = deliveries.all().stream().map(DeliveryStatus::name).toList();
    if (target != null && !names.contains(target)) {
      throw UserError.badInput(
          "there is no target '%s'; %s",
          target,
          names.isEmpty()
              ? "there are no targets yet"
              : "the targets are " + String.join(", ", names));
    }
  }

  private int print(List<DeliveryStatus> targets) {
    session.print(
        targets.isEmpty()
            ? "no target: set palmares.outbox.webhook.url, palmares.outbox.stream.key or"
                + " palmares.outbox.mail.to"
            : COLUMNS.table(targets));
    return targets.stream().anyMatch(status -> status.parkedAt() != null) ? UserError.FAILED : 0;
  }
}

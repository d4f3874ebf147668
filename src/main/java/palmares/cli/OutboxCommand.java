package palmares.cli;

import java.io.IOException;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.Call;
import palmares.api.ops.InstallationResource;
import palmares.api.ops.MaintenanceResource;
import palmares.api.ops.MaintenanceResource.TargetOrder;
import palmares.api.ops.Task;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.terminal.UserError;
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
          + " as they are kept (palmares.outbox.retention)."
    },
    exitCodeList = {
      "0:no target is parked",
      "1:a target is parked: its deliveries are not retried any more",
      "2:bad usage, or an unknown target: nothing was changed"
    },
    footer = "  palmares outbox --retry --target webhook")
final class OutboxCommand implements Callable<Integer> {
  private static final String REASON = "palmares outbox";

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

  @Mixin private Output output = new Output();

  @Mixin private Acting.MaybeReason acting = new Acting.MaybeReason();

  OutboxCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (Stream.of(retry, from != null, forget).filter(given -> given).count() > 1) {
      throw UserError.badUsage("use only one of --retry, --from and --forget");
    }
    if (forget && target == null) {
      throw UserError.badUsage("--forget needs the --target to forget");
    }
    TimeArgument.of("--from", from, ZoneOffset.UTC);
    var launch = LaunchOptions.of("outbox");
    if (retry || forget || from != null) {
      var order = new TargetOrder(acting.reason(REASON), target, from);
      int exitCode = acting.run(session, launch, (app, call) -> change(app, order, call));
      if (exitCode != 0 || forget) {
        return exitCode;
      }
    }
    return Reading.print(
        session, launch, output, app -> app.get(InstallationResource.class).outbox(target));
  }

  private Task change(RunningApplication app, TargetOrder order, Call call) {
    MaintenanceResource maintenance = app.get(MaintenanceResource.class);
    return retry
        ? maintenance.retry(order, call)
        : forget ? maintenance.forget(order, call) : maintenance.redeliver(order, call);
  }
}

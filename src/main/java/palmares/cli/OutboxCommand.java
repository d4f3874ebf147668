package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Columns;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.settlement.outbox.Deliveries;
import palmares.settlement.outbox.DeliveryStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows how far others have been told, and lets them be told again. */
@Command(
    name = "outbox",
    description = {
      "Shows how far each target (webhook, stream) has been told what was settled, amended and"
          + " paid, and what stands in the way.",
      "",
      "A target that is configured is told what happens from then on; --from tells it what happened"
          + " before, as far as it is kept (palmares.outbox.keep)."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every target is told what happens, or will be",
      "1:a target is parked: nobody tries it any more",
      "2:bad usage, or an unknown target: nothing was changed"
    },
    footerHeading = "%nExample:%n",
    footer = "  palmares outbox --retry --target webhook")
final class OutboxCommand implements Callable<Integer> {
  private final Session session;

  @Option(names = "--retry", description = "Tries what fails again at once, parked targets too.")
  private boolean retry;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Tells again all that happened from then on: a day (2026-11-20) or a time in UTC"
              + " (2026-11-20T10:00:00Z).")
  private @Nullable String from;

  @Option(names = "--forget", description = "Forgets the --target: one that is configured no more.")
  private boolean forget;

  @Option(names = "--target", paramLabel = "NAME", description = "Only this target.")
  private @Nullable String target;

  @Spec private CommandSpec spec = CommandSpec.create();

  OutboxCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (Stream.of(retry, from != null, forget).filter(asked -> asked).count() > 1) {
      throw usage("--retry, --from and --forget are asked for one at a time");
    }
    if (forget && target == null) {
      throw usage("--forget needs the --target to forget");
    }
    Instant time = from == null ? null : time(from);
    try (RunningApplication app = session.start(LaunchOptions.of("outbox"), session.boards())) {
      Deliveries deliveries = app.get(Deliveries.class);
      requireKnown(deliveries);
      act(deliveries, time);
      return print(
          deliveries.all().stream()
              .filter(line -> target == null || line.name().equals(target))
              .toList());
    }
  }

  private void act(Deliveries deliveries, @Nullable Instant time) {
    if (retry) {
      deliveries.retry(target);
    } else if (forget) {
      deliveries.forget(String.valueOf(target));
    } else if (time != null && deliveries.redeliver(target, time) == 0) {
      throw UserError.badInput(
          "nothing that happened from %s on is kept, or nobody is to be told".formatted(time));
    }
  }

  private void requireKnown(Deliveries deliveries) {
    List<String> names = deliveries.all().stream().map(DeliveryStatus::name).toList();
    if (target != null && !names.contains(target)) {
      throw UserError.badInput(
          "there is no target '%s'; %s"
              .formatted(
                  target,
                  names.isEmpty() ? "none was told yet" : "known are " + String.join(", ", names)));
    }
  }

  private Instant time(String text) {
    try {
      return text.length() > 10
          ? Instant.parse(text)
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeParseException e) {
      throw usage("--from is as 2026-11-20 or 2026-11-20T10:00:00Z, not " + text);
    }
  }

  private int print(List<DeliveryStatus> lines) {
    session
        .terminal()
        .print(
            lines.isEmpty()
                ? "nobody is told: set palmares.outbox.webhook.url or palmares.outbox.stream.key"
                : table(lines));
    return lines.stream().anyMatch(line -> line.parkedAt() != null) ? UserError.FAILED : 0;
  }

  private static String table(List<DeliveryStatus> lines) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            lines,
            List.of(
                Columns.text("target").<DeliveryStatus>with(DeliveryStatus::name),
                Columns.text("where").with(line -> TerminalText.of(line.address())),
                Columns.text("since").with(line -> time(line.since())),
                Columns.number("delivered").with(line -> DisplayFormat.number(line.delivered())),
                Columns.number("waiting").with(line -> DisplayFormat.number(line.waiting())),
                Columns.text("last").with(line -> time(line.deliveredAt())),
                Columns.text("next try").with(OutboxCommand::next),
                Columns.text("last error")
                    .with(line -> line.failure() == null ? "" : TerminalText.of(line.failure()))))
        .asString();
  }

  private static String next(DeliveryStatus line) {
    return line.parkedAt() != null ? "parked: --retry" : time(line.retryAt());
  }

  private static String time(@Nullable Instant time) {
    return time == null ? "" : time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private ParameterException usage(String userError) {
    return new ParameterException(spec.commandLine(), userError);
  }
}

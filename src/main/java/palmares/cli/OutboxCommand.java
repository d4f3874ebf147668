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
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.output.Columns;
import palmares.cli.output.Spoken;
import palmares.cli.terminal.Complaint;
import palmares.cli.terminal.Printable;
import palmares.outbox.Deliveries;
import palmares.outbox.TargetLine;
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
    try (Running app = session.start(Launch.of("outbox"), session.boards())) {
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
    } else if (time != null && deliveries.tellAgain(target, time) == 0) {
      throw Complaint.badInput(
          "nothing that happened from %s on is kept, or nobody is to be told".formatted(time));
    }
  }

  private void requireKnown(Deliveries deliveries) {
    List<String> names = deliveries.all().stream().map(TargetLine::name).toList();
    if (target != null && !names.contains(target)) {
      throw Complaint.badInput(
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

  private int print(List<TargetLine> lines) {
    session
        .terminal()
        .print(
            lines.isEmpty()
                ? "nobody is told: set palmares.outbox.webhook.url or palmares.outbox.stream.key"
                : table(lines));
    return lines.stream().anyMatch(line -> line.parkedAt() != null) ? Complaint.FAILED : 0;
  }

  private static String table(List<TargetLine> lines) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            lines,
            List.of(
                Columns.text("target").<TargetLine>with(TargetLine::name),
                Columns.text("where").with(line -> Printable.of(line.address())),
                Columns.text("since").with(line -> time(line.since())),
                Columns.number("delivered").with(line -> Spoken.number(line.delivered())),
                Columns.number("waiting").with(line -> Spoken.number(line.waiting())),
                Columns.text("last").with(line -> time(line.deliveredAt())),
                Columns.text("next try").with(OutboxCommand::next),
                Columns.text("last error")
                    .with(line -> line.failure() == null ? "" : Printable.of(line.failure()))))
        .asString();
  }

  private static String next(TargetLine line) {
    return line.parkedAt() != null ? "parked: --retry" : time(line.retryAt());
  }

  private static String time(@Nullable Instant time) {
    return time == null ? "" : time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private ParameterException usage(String complaint) {
    return new ParameterException(spec.commandLine(), complaint);
  }
}

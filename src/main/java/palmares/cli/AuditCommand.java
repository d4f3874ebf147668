package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Columns;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.operations.report.PeriodHistory;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.auditlog.AuditLog.Stored;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists what people did. */
@Command(
    name = "acts",
    description = {
      "Lists what people did that changed what is paid or shown, the latest first: who, what, why."
          + " Times are in UTC."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:listed", "2:bad usage, or an unknown board"},
    footerHeading = "%nExample:%n",
    footer = "  palmares acts invites 2026-W47")
final class AuditCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(index = "0", arity = "0..1", paramLabel = "BOARD", description = "Only this board's.")
  private @Nullable String board;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PERIOD",
      description = "Only this period's.")
  private @Nullable String period;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "50",
      description = "How many to show (default: 50).")
  private int count;

  AuditCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (count < 1) {
      throw UserError.badInput("--count is 1 or more, not " + count);
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("acts"), boards)) {
      String id =
          board == null
              ? null
              : new ArgumentLookup(boards, app.get(PeriodHistory.class)).board(board).value();
      List<Stored> auditLog = app.get(AuditLog.class).list(id, period, count);
      session.terminal().print(auditLog.isEmpty() ? "no acts" : table(auditLog));
    }
    return 0;
  }

  private static String table(List<Stored> auditLog) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            auditLog,
            List.of(
                Columns.text("at")
                    .<Stored>with(kept -> kept.at().truncatedTo(ChronoUnit.SECONDS) + ""),
                Columns.text("act").with(kept -> kept.entry().verb()),
                Columns.text("of").with(kept -> TerminalText.of(subject(kept.entry()))),
                Columns.text("by").with(kept -> TerminalText.of(kept.entry().by())),
                Columns.text("why").with(kept -> TerminalText.of(kept.entry().reason()))))
        .asString();
  }

  private static String subject(AuditEntry auditEntry) {
    return Stream.of(
            auditEntry.board(),
            auditEntry.period(),
            auditEntry.revision() == null ? null : "revision " + auditEntry.revision(),
            auditEntry.member())
        .filter(Objects::nonNull)
        .collect(Collectors.joining(" "));
  }
}

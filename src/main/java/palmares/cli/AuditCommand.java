package palmares.cli;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.OutputTable;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.auditlog.AuditLog.Stored;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the audit log. */
@Command(
    name = "audit",
    description = {
      "Lists the audit log, the latest entry first: who changed what is paid or shown, when and"
          + " why. Times are in UTC."
    },
    exitCodeList = {"0:listed", "2:bad usage, or an unknown board"},
    footer = "  palmares audit invites 2026-W47")
final class AuditCommand implements Callable<Integer> {
  private static final OutputTable<Stored> COLUMNS =
      new OutputTable<Stored>()
          .text("at", Stored::at)
          .wrapped("change", stored -> stored.entry().verb())
          .wrapped("object", stored -> object(stored.entry()))
          .wrapped("by", stored -> stored.entry().by())
          .wrapped("reason", stored -> stored.entry().reason());

  private final Session session;

  @Mixin private BoardFilter.WithPeriod filter = new BoardFilter.WithPeriod();

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "50",
      description = "How many entries to show (default: 50).")
  private int count;

  AuditCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Arguments.atLeast(1, "--count", count);
    Catalogue boards = session.boards();
    try (RunningApplication app = session.startWithoutRedis("audit", boards)) {
      BoardId board = filter.board(new Arguments(boards, app));
      List<Stored> entries =
          app.get(AuditLog.class)
              .list(board == null ? null : board.value(), filter.period(), count);
      session.print(entries.isEmpty() ? "no entries" : COLUMNS.table(entries));
    }
    return 0;
  }

  private static String object(AuditEntry entry) {
    return Stream.of(
            entry.board(),
            entry.period(),
            entry.revision() == null ? null : "revision " + entry.revision(),
            entry.member())
        .filter(Objects::nonNull)
        .collect(Collectors.joining(" "));
  }
}

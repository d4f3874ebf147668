package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.act.Act;
import palmares.act.Acts;
import palmares.act.Acts.Kept;
import palmares.catalogue.Catalogue;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.output.Columns;
import palmares.cli.terminal.Complaint;
import palmares.cli.terminal.Printable;
import palmares.report.PeriodHistory;
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
final class ActsCommand implements Callable<Integer> {
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

  ActsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (count < 1) {
      throw Complaint.badInput("--count is 1 or more, not " + count);
    }
    Catalogue boards = session.boards();
    try (Running app = session.start(Launch.of("acts"), boards)) {
      String id =
          board == null
              ? null
              : new Names(boards, app.get(PeriodHistory.class)).board(board).value();
      List<Kept> acts = app.get(Acts.class).list(id, period, count);
      session.terminal().print(acts.isEmpty() ? "no acts" : table(acts));
    }
    return 0;
  }

  private static String table(List<Kept> acts) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            acts,
            List.of(
                Columns.text("at")
                    .<Kept>with(kept -> kept.at().truncatedTo(ChronoUnit.SECONDS) + ""),
                Columns.text("act").with(kept -> kept.act().verb()),
                Columns.text("of").with(kept -> Printable.of(subject(kept.act()))),
                Columns.text("by").with(kept -> Printable.of(kept.act().by())),
                Columns.text("why").with(kept -> Printable.of(kept.act().reason()))))
        .asString();
  }

  private static String subject(Act act) {
    return Stream.of(
            act.board(),
            act.period(),
            act.revision() == null ? null : "revision " + act.revision(),
            act.member())
        .filter(Objects::nonNull)
        .collect(Collectors.joining(" "));
  }
}

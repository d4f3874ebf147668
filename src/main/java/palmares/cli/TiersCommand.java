package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.ColumnData;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Columns;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.operations.report.TierHistory;
import palmares.operations.report.TierHistory.TierMove;
import palmares.platform.form.Suggestion;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows who goes up and down between the boards of a family. */
@Command(
    name = "tiers",
    description = {
      "Shows who goes up and down between the boards of a family, by a settled period.",
      "Which board a member's next events name stays the sender's choice."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the list is complete",
      "1:the period is not settled yet on every board of the family",
      "2:bad usage, or an unknown family or period"
    },
    footerHeading = "%nExample:%n",
    footer = "  palmares tiers league 2026-W47")
final class TiersCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(index = "0", paramLabel = "FAMILY", description = "As board files name it.")
  private String family = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PERIOD",
      description = "The period's name; the latest settled one if it is not given.")
  private @Nullable String period;

  TiersCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Catalogue boards = session.boards();
    List<BoardId> tiers = tiers(boards);
    try (RunningApplication app = session.start(LaunchOptions.of("tiers"), boards)) {
      TierHistory history = app.get(TierHistory.class);
      if (tiers.isEmpty() && !history.knows(family)) {
        throw unknown(boards);
      }
      PeriodName name = name(history, tiers);
      List<TierMove> lines = history.of(family, name);
      List<BoardId> open = history.unsettled(tiers, name);
      if (lines.isEmpty() && open.equals(tiers)) {
        throw UserError.badInput("no board of '%s' has settled %s".formatted(family, name));
      }
      session
          .terminal()
          .print(lines.isEmpty() ? "nobody moves in %s %s".formatted(family, name) : table(lines));
      open.forEach(
          board -> session.terminal().print("%s %s is not settled yet".formatted(board, name)));
      return open.isEmpty() ? 0 : UserError.FAILED;
    }
  }

  private PeriodName name(TierHistory history, List<BoardId> tiers) {
    if (period != null) {
      return ArgumentLookup.name(period)
          .orElseThrow(() -> UserError.badInput("no period is named '%s'".formatted(period)));
    }
    return history
        .latest(tiers)
        .orElseThrow(() -> UserError.badInput("no period of '%s' is settled".formatted(family)));
  }

  /** Its boards, from the top down. */
  private List<BoardId> tiers(Catalogue boards) {
    return boards.all().stream()
        .filter(board -> board.tier() != null && board.tier().family().equals(family))
        .sorted(Comparator.comparing(board -> Objects.requireNonNull(board.tier()).number()))
        .map(Board::id)
        .toList();
  }

  private UserError unknown(Catalogue boards) {
    var known = new TreeSet<String>();
    for (Board board : boards.all()) {
      if (board.tier() != null) {
        known.add(board.tier().family());
      }
    }
    return UserError.badInput(
        "there is no family '%s'%s; %s"
            .formatted(
                family,
                Suggestion.hint(family, known),
                known.isEmpty()
                    ? "no board file says one"
                    : "the families are " + String.join(", ", known)));
  }

  private static String table(List<TierMove> lines) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            lines,
            List.of(
                column("tier", line -> "" + line.tier()),
                column("board", line -> line.board().value()),
                column("place", line -> "" + line.place()),
                column("member", line -> TerminalText.of(line.member())),
                column("points", line -> String.format(Locale.ROOT, "%,d", line.points())),
                column("goes", TiersCommand::goes)))
        .asString();
  }

  private static String goes(TierMove line) {
    return "%s to %s"
        .formatted(
            line.up() ? "up" : "down",
            line.toBoard() == null ? "tier " + line.toTier() : line.toBoard());
  }

  private static ColumnData<TierMove> column(String header, Function<TierMove, String> value) {
    return Columns.whole(header).with(value);
  }
}

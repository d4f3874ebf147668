package palmares.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.OutputTable;
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

/** Shows which members move between the boards of a family. */
@Command(
    name = "tiers",
    description = {
      "Shows which members move up and down between the boards of a family after a settled period.",
      "The sender decides which board a member's next events name."
    },
    exitCodeList = {
      "0:the list is complete",
      "1:the period is not settled yet on every board of the family",
      "2:bad usage, or an unknown family or period"
    },
    footer = "  palmares tiers league 2026-W47")
final class TiersCommand implements Callable<Integer> {
  private static final OutputTable<TierMove> COLUMNS =
      new OutputTable<TierMove>()
          .number("tier", TierMove::tier)
          .text("board", TierMove::board)
          .number("place", TierMove::place)
          .text("member", TierMove::member)
          .number("points", TierMove::points)
          .text("goes", TiersCommand::goes);

  private final Session session;

  @Parameters(index = "0", paramLabel = "FAMILY", description = "As board files name it.")
  private String family = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PERIOD",
      description = "The period's name (default: the latest settled one).")
  private @Nullable String period;

  TiersCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Catalogue boards = session.boards();
    List<BoardId> tiers = tiers(boards);
    try (RunningApplication app = session.start("tiers", boards)) {
      TierHistory history = app.get(TierHistory.class);
      if (tiers.isEmpty() && !history.knows(family)) {
        throw unknown(boards);
      }
      PeriodName name = name(history, tiers);
      List<TierMove> moves = history.of(family, name);
      List<BoardId> unsettled = history.unsettled(tiers, name);
      if (moves.isEmpty() && unsettled.equals(tiers)) {
        throw UserError.badInput("no board of '%s' has settled %s", family, name);
      }
      session.print(
          moves.isEmpty() ? "nobody moves in %s %s".formatted(family, name) : COLUMNS.table(moves));
      unsettled.forEach(board -> session.print("%s %s is not settled yet", board, name));
      return unsettled.isEmpty() ? 0 : UserError.FAILED;
    }
  }

  private PeriodName name(TierHistory history, List<BoardId> tiers) {
    if (period != null) {
      return Arguments.name(period)
          .orElseThrow(() -> UserError.badInput("no period is named '%s'", period));
    }
    return history
        .latest(tiers)
        .orElseThrow(() -> UserError.badInput("no period of '%s' is settled", family));
  }

  /** The boards of the family, the top tier first. */
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
        "there is no family '%s'%s; %s",
        family,
        Suggestion.hint(family, known),
        known.isEmpty()
            ? "no board file names one"
            : "the families are " + String.join(", ", known));
  }

  private static String goes(TierMove move) {
    return "%s to %s"
        .formatted(
            move.up() ? "up" : "down",
            move.toBoard() == null ? "tier " + move.toTier() : move.toBoard());
  }
}

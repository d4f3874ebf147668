package palmares.cli;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.output.OutputTable;
import palmares.operations.report.FinalLine;
import palmares.operations.report.RevisionHistory;
import palmares.period.BoardDefinitions;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.payout.RewardRule;

/** The columns of a palmarès for other programs: those that the rules of its periods give it. */
final class PalmaresColumns {
  private PalmaresColumns() {}

  /**
   * The columns of these periods.
   *
   * @param revision of that outcome; null for the one that stands
   */
  static OutputTable<FinalLine> of(
      RunningApplication app, BoardId board, List<PeriodName> periods, @Nullable Integer revision) {
    BoardDefinitions definitions = app.get(BoardDefinitions.class);
    return of(
        app.get(RevisionHistory.class).rules(board, periods, revision).stream()
            .map(hash -> definitions.of(board, hash))
            .toList());
  }

  /**
   * If the rules have a second key, there is a column for it; if the board is adopted, one for why
   * the order among equals is not known; if it counts invites, two for whose line it is; and one
   * for each reward rule.
   */
  static OutputTable<FinalLine> of(Collection<Board> rules) {
    var outputTable =
        new OutputTable<FinalLine>()
            .text("period", FinalLine::period)
            .number("rank", FinalLine::rank)
            .text("member", FinalLine::member)
            .number("points", FinalLine::points);
    if (rules.stream().anyMatch(board -> board.scale().thenBy() != null)) {
      outputTable.number("then_by", FinalLine::thenBy);
    }
    outputTable.text("reached_at", FinalLine::reachedAt).number("credits", FinalLine::credits);
    if (rules.stream().anyMatch(board -> board.adoption() != null)) {
      outputTable.text("loss", FinalLine::loss);
    }
    if (rules.stream().anyMatch(board -> board.invites() != null)) {
      outputTable.text("nickname", FinalLine::nickname).text("invite_code", FinalLine::inviteCode);
    }
    rewards(rules)
        .forEach(rule -> outputTable.number("award:" + rule, line -> line.awards().get(rule)));
    return outputTable;
  }

  private static Set<String> rewards(Collection<Board> rules) {
    return rules.stream()
        .flatMap(board -> board.payout().rules().stream())
        .map(RewardRule::name)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}

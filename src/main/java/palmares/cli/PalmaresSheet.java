package palmares.cli;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.board.Board;
import palmares.board.BoardId;
import palmares.calendar.PeriodName;
import palmares.cli.launch.Running;
import palmares.cli.output.Sheet;
import palmares.payout.RewardRule;
import palmares.period.Definitions;
import palmares.report.FinalLine;
import palmares.report.RevisionHistory;

/** The columns of a palmarès for other programs: those that the rules of its periods give it. */
final class PalmaresSheet {
  private PalmaresSheet() {}

  /**
   * The columns of these periods.
   *
   * @param revision of that outcome; null for the one that stands
   */
  static Sheet<FinalLine> of(
      Running app, BoardId board, List<PeriodName> periods, @Nullable Integer revision) {
    Definitions definitions = app.get(Definitions.class);
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
  static Sheet<FinalLine> of(Collection<Board> rules) {
    var sheet =
        new Sheet<FinalLine>()
            .text("period", FinalLine::period)
            .number("rank", FinalLine::rank)
            .text("member", FinalLine::member)
            .number("points", FinalLine::points);
    if (rules.stream().anyMatch(board -> board.scale().thenBy() != null)) {
      sheet.number("then_by", FinalLine::thenBy);
    }
    sheet.text("reached_at", FinalLine::reachedAt).number("credits", FinalLine::credits);
    if (rules.stream().anyMatch(board -> board.adoption() != null)) {
      sheet.text("loss", FinalLine::loss);
    }
    if (rules.stream().anyMatch(board -> board.invites() != null)) {
      sheet.text("nickname", FinalLine::nickname).text("invite_code", FinalLine::inviteCode);
    }
    rewards(rules).forEach(rule -> sheet.number("award:" + rule, line -> line.awards().get(rule)));
    return sheet;
  }

  private static Set<String> rewards(Collection<Board> rules) {
    return rules.stream()
        .flatMap(board -> board.payout().rules().stream())
        .map(RewardRule::name)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}

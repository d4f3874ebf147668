package palmares.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import palmares.board.Action;
import palmares.board.Board;
import palmares.payout.RewardRule;
import palmares.payout.RewardRule.Band;
import palmares.payout.RewardRule.PerAction;
import palmares.payout.RewardRule.RankPrizes;

/** A board's actions and reward rules as parallel arrays, for set-based SQL to derive all by. */
record Rules(List<Action> actions, List<Row> prizes, List<Row> deeds) {

  /** Either a band of ranks, or an action and what one of it is worth in points. */
  record Row(String rule, String action, long from, long to, long worth, long credits) {}

  static Rules of(Board board) {
    var prizes = new ArrayList<Row>();
    var deeds = new ArrayList<Row>();
    for (RewardRule rule : board.payout().rules()) {
      if (rule instanceof RankPrizes ranks) {
        for (Band band : ranks.bands()) {
          prizes.add(new Row(rule.name(), "", band.from(), band.to(), 1, band.credits()));
        }
      } else if (rule instanceof PerAction per) {
        long worth = Objects.requireNonNull(board.actions().get(per.action())).points();
        deeds.add(new Row(rule.name(), per.action(), 0, 0, worth, per.credits()));
      }
    }
    return new Rules(List.copyOf(board.actions().values()), prizes, deeds);
  }

  Map<String, Object> parameters() {
    return Map.of(
        "actions", actions.stream().map(Action::name).toArray(String[]::new),
        "points", actions.stream().map(Action::points).toArray(Long[]::new),
        "prizeRules", prizes.stream().map(Row::rule).toArray(String[]::new),
        "froms", prizes.stream().map(Row::from).toArray(Long[]::new),
        "tos", prizes.stream().map(Row::to).toArray(Long[]::new),
        "prizeCredits", prizes.stream().map(Row::credits).toArray(Long[]::new),
        "deedRules", deeds.stream().map(Row::rule).toArray(String[]::new),
        "deedActions", deeds.stream().map(Row::action).toArray(String[]::new),
        "worths", deeds.stream().map(Row::worth).toArray(Long[]::new),
        "deedCredits", deeds.stream().map(Row::credits).toArray(Long[]::new));
  }
}

package palmares.bench.close;

import java.util.ArrayList;
import java.util.List;
import palmares.board.Board;
import palmares.board.Holding;
import palmares.payout.RewardRule;
import palmares.payout.RewardRule.PerAction;
import palmares.payout.RewardRule.RankPrizes;

/** What a board whose ranks are unique pays a line, worked out in a loop, as programs do. */
final class Prizes {
  private final List<RewardRule> rules;

  Prizes(Board board) {
    this.rules = board.payout().rules();
  }

  /** A payment to be made. */
  record Prize(String rule, String member, long credits) {}

  /**
   * What the line gets.
   *
   * @param place from 1
   */
  List<Prize> of(Holding line, long place) {
    var prizes = new ArrayList<Prize>();
    for (RewardRule rule : rules) {
      long credits = credits(rule, line, place);
      if (credits > 0) {
        prizes.add(new Prize(rule.name(), line.member(), credits));
      }
    }
    return prizes;
  }

  private static long credits(RewardRule rule, Holding line, long place) {
    if (rule instanceof PerAction each) {
      return line.points() * each.credits();
    }
    if (rule instanceof RankPrizes ranks) {
      return ranks.bands().stream()
          .filter(band -> band.from() <= place && place <= band.to())
          .mapToLong(RewardRule.Band::credits)
          .sum();
    }
    throw new IllegalArgumentException("the board pays by " + rule);
  }
}

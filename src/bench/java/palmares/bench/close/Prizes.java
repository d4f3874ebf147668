package palmares.bench.close;

import java.util.ArrayList;
import java.util.List;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.TopPercent;

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
  List<Prize> of(MemberScore line, long place) {
    var prizes = new ArrayList<Prize>();
    for (RewardRule rule : rules) {
      long credits = rule.accept(new CreditsByKind(line, place));
      if (credits > 0) {
        prizes.add(new Prize(rule.name(), line.member(), credits));
      }
    }
    return prizes;
  }

  private record CreditsByKind(MemberScore line, long place) implements RewardRule.Visitor<Long> {
    @Override
    public Long rankPrizes(RankPrizes rule) {
      return rule.bands().stream()
          .filter(band -> band.from() <= place && place <= band.to())
          .mapToLong(RewardRule.Band::credits)
          .sum();
    }

    @Override
    public Long perAction(PerAction rule) {
      return line.points() * rule.credits();
    }

    @Override
    public Long topPercent(TopPercent rule) {
      throw unsupported(rule);
    }

    @Override
    public Long milestones(Milestones rule) {
      throw unsupported(rule);
    }

    @Override
    public Long takingPart(TakingPart rule) {
      throw unsupported(rule);
    }

    private static IllegalArgumentException unsupported(RewardRule rule) {
      return new IllegalArgumentException("the board pays by " + rule);
    }
  }
}

package palmares.console;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import palmares.rules.board.Board;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Band;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.TopPercent;

/**
 * The prizes of a rule that has different ones.
 *
 * @param basis the word of what decides who gets which: rank, top, points or fewest
 */
record PrizeTable(String rule, String currency, String basis, List<Prize> prizes) {
  /**
   * A prize.
   *
   * @param who its ranks, its percent or its points, as the page shows them
   */
  record Prize(String who, long amount) {}

  /** Those of a board, in the order of its file. */
  static List<PrizeTable> of(Board board, Show show) {
    var tables = new OfRule(show, board.scale().scoring().fewestWin());
    return board.payout().rules().stream().flatMap(rule -> rule.accept(tables).stream()).toList();
  }

  /** Makes the table of a rule, unless the rule has one prize. */
  private record OfRule(Show show, boolean fewestWin)
      implements RewardRule.Visitor<Optional<PrizeTable>> {
    @Override
    public Optional<PrizeTable> rankPrizes(RankPrizes rule) {
      return table(rule, "rank", rule.bands().stream().map(this::prize));
    }

    private Prize prize(Band band) {
      String first = show.number(band.from());
      String last = show.number(band.to());
      return new Prize(first.equals(last) ? first : first + "–" + last, band.credits());
    }

    private static Optional<PrizeTable> table(RewardRule rule, String basis, Stream<Prize> prizes) {
      return Optional.of(new PrizeTable(rule.name(), rule.currency(), basis, prizes.toList()));
    }

    @Override
    public Optional<PrizeTable> topPercent(TopPercent rule) {
      return table(
          rule,
          "top",
          rule.bands().stream()
              .map(share -> new Prize(share.percent().toPlainString() + " %", share.credits())));
    }

    @Override
    public Optional<PrizeTable> milestones(Milestones rule) {
      return table(
          rule,
          fewestWin ? "fewest" : "points",
          rule.steps().stream().map(step -> new Prize(show.number(step.points()), step.credits())));
    }

    @Override
    public Optional<PrizeTable> perAction(PerAction rule) {
      return Optional.empty();
    }

    @Override
    public Optional<PrizeTable> takingPart(TakingPart rule) {
      return Optional.empty();
    }
  }
}

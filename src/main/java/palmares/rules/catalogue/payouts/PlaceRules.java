package palmares.rules.catalogue.payouts;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import palmares.platform.form.Entry;
import palmares.platform.form.FormValue;
import palmares.rules.payout.RewardRule.Band;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.Share;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;

/** Rules that pay by where a member stands. */
final class PlaceRules {
  private PlaceRules() {}

  static RankPrizes ranks(FormValue rule, PayoutContext payoutContext) {
    checkTies(rule, payoutContext);
    return new RankPrizes(
        rule.get(RewardForm.RULE),
        rule.get(RewardForm.CURRENCY),
        bands(rule),
        rule.get(RewardForm.TIES),
        rule.get(RewardForm.REMAINDER));
  }

  static TopPercent top(FormValue rule, PayoutContext payoutContext) {
    checkTies(rule, payoutContext);
    return new TopPercent(
        rule.get(RewardForm.RULE),
        rule.get(RewardForm.CURRENCY),
        shares(rule.get(RewardForm.TOP)),
        rule.get(RewardForm.OF),
        rule.get(RewardForm.ROUNDING),
        rule.get(RewardForm.TIES),
        rule.get(RewardForm.REMAINDER));
  }

  private static void checkTies(FormValue rule, PayoutContext payoutContext) {
    Ties ties = rule.get(RewardForm.TIES);
    if (ties != Ties.EACH && payoutContext.unique()) {
      rule.spot(RewardForm.TIES)
          .fault(
              "must not be %s where ranks: unique lets nobody tie: take it out, or say ranks:"
                      .formatted(ties.word())
                  + " competition or dense");
    } else if (ties == Ties.EACH && rule.has(RewardForm.REMAINDER)) {
      rule.spot(RewardForm.REMAINDER)
          .fault("goes only with ties: share or hold, where prizes are divided: take it out");
    }
  }

  private static List<Band> bands(FormValue rule) {
    boolean noGaps = rule.get(RewardForm.GAPS).equals(RewardForm.REFUSED);
    var bands = new ArrayList<Band>();
    long taken = 0;
    for (var prize : rule.get(RewardForm.RANKS)) {
      RankRange ranks = prize.key();
      if (ranks.from() <= taken) {
        prize
            .location()
            .fault(
                "begins at rank %d, but the ranks above it go down to %d: put them in order, each"
                        .formatted(ranks.from(), taken)
                    + " rank once");
      } else if (noGaps && ranks.from() > taken + 1) {
        prize
            .location()
            .fault(
                "leaves %s without a prize, and gaps are refused: fill it, or say gaps: allowed"
                    .formatted(hole(taken + 1, ranks.from() - 1)));
      }
      taken = ranks.to();
      bands.add(new Band(ranks.from(), ranks.to(), requireNonNull(prize.value())));
    }
    return bands;
  }

  private static String hole(long from, long to) {
    return from == to ? "rank " + from : "ranks %d-%d".formatted(from, to);
  }

  private static List<Share> shares(List<Entry<BigDecimal, Long>> entries) {
    var shares = new ArrayList<Share>();
    var taken = BigDecimal.ZERO;
    for (var entry : entries) {
      if (entry.key().compareTo(taken) <= 0) {
        entry
            .location()
            .fault(
                "must be more than the %s%% above it: put them in order, each once"
                    .formatted(taken.toPlainString()));
      }
      taken = entry.key();
      shares.add(new Share(taken, requireNonNull(entry.value())));
    }
    return shares;
  }
}

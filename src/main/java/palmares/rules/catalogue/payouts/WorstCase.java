package palmares.rules.catalogue.payouts;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Band;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.Share;
import palmares.rules.payout.RewardRule.Step;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;

/**
 * The most that a period could pay in each currency: on a board of a billion members, all of them
 * tied for the best prize where ties get it each. Of a rule per action it is what one member at
 * max-points would be paid; what all did together is only known at the closing, which pays nobody
 * rather than more than an account can hold.
 */
final class WorstCase implements RewardRule.Visitor<BigInteger> {
  static final long MEMBERS = 1_000_000_000;

  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private final Map<String, BigInteger> sums = new LinkedHashMap<>();
  private final PayoutContext payoutContext;

  WorstCase(PayoutContext payoutContext) {
    this.payoutContext = payoutContext;
  }

  void add(RewardRule rule) {
    sums.merge(rule.currency(), rule.accept(this), BigInteger::add);
  }

  /** Those that no account could hold, by currency. */
  Map<String, BigInteger> tooLarge() {
    var large = new LinkedHashMap<>(sums);
    large.values().removeIf(sum -> sum.compareTo(MOST) <= 0);
    return large;
  }

  @Override
  public BigInteger rankPrizes(RankPrizes rule) {
    return apart(rule.ties())
        ? rule.bands().stream().map(WorstCase::sum).reduce(BigInteger.ZERO, BigInteger::add)
        : all(rule.bands().stream().mapToLong(Band::credits).max().orElse(0));
  }

  @Override
  public BigInteger topPercent(TopPercent rule) {
    return apart(rule.ties())
        ? sum(rule)
        : all(rule.bands().stream().mapToLong(Share::credits).max().orElse(0));
  }

  @Override
  public BigInteger milestones(Milestones rule) {
    return all(rule.steps().stream().mapToLong(Step::credits).max().orElse(0));
  }

  /** What one member at max-points would be paid. */
  @Override
  public BigInteger perAction(PerAction rule) {
    long worth = payoutContext.actions().getOrDefault(rule.action(), 0L);
    return worth == 0 || payoutContext.maxPoints() == null
        ? BigInteger.ZERO
        : times(rule.credits(), payoutContext.maxPoints() / worth);
  }

  @Override
  public BigInteger takingPart(TakingPart rule) {
    return all(rule.credits());
  }

  /** Whether no place's prize can be paid to several. */
  private boolean apart(Ties ties) {
    return payoutContext.unique() || ties == Ties.SHARE;
  }

  private static BigInteger all(long credits) {
    return times(credits, MEMBERS);
  }

  private static BigInteger sum(Band band) {
    return times(band.credits(), band.to() - band.from() + 1);
  }

  private static BigInteger sum(TopPercent rule) {
    var sum = BigInteger.ZERO;
    var taken = BigDecimal.ZERO;
    for (Share share : rule.bands()) {
      BigDecimal members =
          share
              .percent()
              .subtract(taken)
              .multiply(BigDecimal.valueOf(MEMBERS))
              .divide(HUNDRED, 0, RoundingMode.CEILING);
      sum = sum.add(times(share.credits(), members.longValueExact()));
      taken = share.percent();
    }
    return sum;
  }

  private static BigInteger times(long credits, long members) {
    return BigInteger.valueOf(credits).multiply(BigInteger.valueOf(members));
  }
}

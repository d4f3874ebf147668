package palmares.rules.catalogue;

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
 * Computes an upper bound of what a period could pay in each currency, on a board of a billion
 * members. Where tied members each get the prize, all of them are assumed to tie for the best one.
 *
 * <p>A rule per action counts only what one member at max-points would be paid. The total is known
 * at the closing only, which pays nobody if an account cannot hold it.
 */
final class WorstCase implements RewardRule.Visitor<BigInteger> {
  static final long MEMBERS = 1_000_000_000;

  private static final BigInteger MAX_BALANCE = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private final Map<String, BigInteger> sums = new LinkedHashMap<>();
  private final PayoutContext context;

  WorstCase(PayoutContext context) {
    this.context = context;
  }

  void add(RewardRule rule) {
    sums.merge(rule.currency(), rule.accept(this), BigInteger::add);
  }

  /** The sums that no account can hold, by currency. */
  Map<String, BigInteger> tooLarge() {
    var large = new LinkedHashMap<>(sums);
    large.values().removeIf(sum -> sum.compareTo(MAX_BALANCE) <= 0);
    return large;
  }

  @Override
  public BigInteger rankPrizes(RankPrizes rule) {
    return isPaidOnce(rule.ties())
        ? rule.bands().stream().map(WorstCase::sum).reduce(BigInteger.ZERO, BigInteger::add)
        : toAllMembers(rule.bands().stream().mapToLong(Band::credits).max().orElse(0));
  }

  @Override
  public BigInteger topPercent(TopPercent rule) {
    return isPaidOnce(rule.ties())
        ? sum(rule)
        : toAllMembers(rule.bands().stream().mapToLong(Share::credits).max().orElse(0));
  }

  @Override
  public BigInteger milestones(Milestones rule) {
    return toAllMembers(rule.steps().stream().mapToLong(Step::credits).max().orElse(0));
  }

  @Override
  public BigInteger perAction(PerAction rule) {
    long worth = context.actions().getOrDefault(rule.action(), 0L);
    return worth == 0 || context.maxPoints() == null
        ? BigInteger.ZERO
        : times(rule.credits(), context.maxPoints() / worth);
  }

  @Override
  public BigInteger takingPart(TakingPart rule) {
    return toAllMembers(rule.credits());
  }

  /** Whether each place's prize is paid at most once. */
  private boolean isPaidOnce(Ties ties) {
    return context.hasUniqueRanks() || ties == Ties.SHARE;
  }

  private static BigInteger toAllMembers(long credits) {
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

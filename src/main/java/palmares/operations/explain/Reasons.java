package palmares.operations.explain;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Band;
import palmares.rules.payout.RewardRule.Denominator;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.Rounding;
import palmares.rules.payout.RewardRule.Share;
import palmares.rules.payout.RewardRule.Step;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;

/**
 * Says in a sentence why a rule gave a member a prize, with the rule's figures.
 *
 * @param rules the rules that the revision awards by
 * @param denominators the numbers of members that percentages refer to
 */
record Reasons(Board rules, Map<Denominator, Long> denominators) {

  /**
   * The member's result that the rule was applied to.
   *
   * @param rank null if the member had none
   * @param tied the number of members with equal points, this one included
   * @param times how often the member did an action, by the action's name
   */
  record Had(@Nullable Long rank, long points, long tied, ToLongFunction<String> times) {}

  String why(String rule, long credits, Had had) {
    return rules.payout().rules().stream()
        .filter(one -> one.name().equals(rule))
        .findAny()
        .map(one -> one.accept(new WhyByKind(credits, had)))
        .orElse("a rule that the definition does not have");
  }

  /** The sentence for a rule of each kind. */
  private final class WhyByKind implements RewardRule.Visitor<String> {
    private final long credits;
    private final Had had;

    WhyByKind(long credits, Had had) {
      this.credits = credits;
      this.had = had;
    }

    @Override
    public String rankPrizes(RankPrizes rule) {
      return ranks(rule, credits, had) + tied(rule.ties(), had);
    }

    @Override
    public String topPercent(TopPercent rule) {
      return percent(rule, credits, had) + tied(rule.ties(), had);
    }

    @Override
    public String milestones(Milestones rule) {
      return milestone(rule, credits, had);
    }

    @Override
    public String perAction(PerAction rule) {
      String times = times(had.times().applyAsLong(rule.action()));
      return "did '%s' %s, at %s each".formatted(rule.action(), times, number(rule.credits()));
    }

    @Override
    public String takingPart(TakingPart rule) {
      return "took part: %s for everybody who did".formatted(number(rule.credits()));
    }
  }

  private String ranks(RankPrizes prizes, long credits, Had had) {
    Long rank = had.rank();
    boolean alone = had.tied() <= 1 && rules.ranks() == RankMethod.DENSE;
    if (alone && prizes.bands().stream().noneMatch(band -> pays(band, rank, credits))) {
      return "rank %s: %s for its place behind the members tied ahead of it"
          .formatted(rank, number(credits));
    }
    for (Band band : prizes.bands()) {
      if (rank != null && band.from() <= rank && rank <= band.to()) {
        return "rank %d: %s for %s"
            .formatted(
                rank,
                number(band.credits()),
                band.from() == band.to()
                    ? "rank " + band.from()
                    : "each of the ranks %d to %d".formatted(band.from(), band.to()));
      }
    }
    return "rank %s, moved up to a prize that others may not get".formatted(rank);
  }

  private static boolean pays(Band band, @Nullable Long rank, long credits) {
    return rank != null && band.from() <= rank && rank <= band.to() && band.credits() == credits;
  }

  private String percent(TopPercent top, long credits, Had had) {
    long of = requireNonNull(denominators.get(top.of()));
    for (Share share : top.bands()) {
      if (share.credits() == credits || top.bands().size() == 1) {
        return "rank %s: %s for the best %s %% of %s %s members, which are %s places"
            .formatted(
                had.rank(),
                number(share.credits()),
                share.percent().toPlainString(),
                number(of),
                top.of().isOfEligible() ? "eligible" : "ranked",
                number(places(share.percent(), of, top.rounding())));
      }
    }
    return "rank %s, within the best %s %% of %s members"
        .formatted(
            had.rank(),
            top.bands().get(top.bands().size() - 1).percent().toPlainString(),
            number(of));
  }

  private static long places(BigDecimal percent, long of, Rounding rounding) {
    return percent
        .multiply(BigDecimal.valueOf(of))
        .movePointLeft(2)
        .setScale(0, rounding.isUp() ? RoundingMode.UP : RoundingMode.DOWN)
        .longValueExact();
  }

  private String milestone(Milestones milestones, long credits, Had had) {
    boolean fewest = rules.scale().scoring().fewestWin();
    for (Step step : milestones.steps()) {
      if (step.credits() == credits) {
        return "%s points: %s for %s %s"
            .formatted(
                number(had.points()),
                number(credits),
                number(step.points()),
                fewest ? "or fewer" : "or more");
      }
    }
    return number(had.points()) + " points";
  }

  private String tied(Ties ties, Had had) {
    boolean noTies = ties == Ties.EACH && rules.ranks() == RankMethod.UNIQUE;
    if (had.tied() <= 1 || noTies) {
      return "";
    }
    String who = "; %s members have as many points".formatted(number(had.tied()));
    return switch (ties) {
      case EACH -> who + ", and each gets the prize of the rank";
      case SHARE -> who + ", and share the prizes of the places that they take";
      case HOLD, ORDER -> who + ", and a person decided what each gets";
    };
  }

  private static String times(long times) {
    return times == 1 ? "once" : number(times) + " times";
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}

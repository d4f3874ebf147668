package palmares.operations.explain;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Band;
import palmares.rules.payout.RewardRule.Denominator;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.Rounding;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;

/**
 * Says why a rule gave a member a prize, with the rule's figures.
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

  Sentence why(String rule, long credits, Had had) {
    return rules.payout().rules().stream()
        .filter(one -> one.name().equals(rule))
        .findAny()
        .<Sentence>map(one -> one.accept(new WhyByKind(credits, had)))
        .orElseGet(ExplanationSentences.UnknownRule::new);
  }

  /** The sentence for a rule of each kind. */
  private final class WhyByKind implements RewardRule.Visitor<Sentence> {
    private final long credits;
    private final Had had;

    WhyByKind(long credits, Had had) {
      this.credits = credits;
      this.had = had;
    }

    @Override
    public Sentence rankPrizes(RankPrizes rule) {
      Long rank = had.rank();
      Sentence tied = tied(rule.ties());
      boolean alone = had.tied() <= 1 && rules.ranks() == RankMethod.DENSE;
      Band band =
          rule.bands().stream()
              .filter(one -> rank != null && one.from() <= rank && rank <= one.to())
              .findFirst()
              .orElse(null);
      if (alone && (band == null || band.credits() != credits)) {
        return new ExplanationSentences.BehindTie(rank, credits, tied);
      }
      if (band == null || rank == null) {
        return new ExplanationSentences.MovedUp(rank, tied);
      }
      return band.from() == band.to()
          ? new ExplanationSentences.ForRank(rank, band.credits(), tied)
          : new ExplanationSentences.ForRanks(rank, band.credits(), band.from(), band.to(), tied);
    }

    @Override
    public Sentence topPercent(TopPercent rule) {
      long of = requireNonNull(denominators.get(rule.of()));
      Sentence tied = tied(rule.ties());
      List<RewardRule.Share> bands = rule.bands();
      return bands.stream()
          .filter(
              band ->
                  bands.size() == 1
                      || band.credits() == credits
                          && isWithin(had.rank(), places(band.percent(), of, rule.rounding())))
          .findFirst()
          // Seats of members who may win nothing are left out: a prize may be of an earlier band.
          .or(() -> bands.stream().filter(band -> band.credits() == credits).findFirst())
          .<Sentence>map(
              band ->
                  new ExplanationSentences.ForPercent(
                      had.rank(),
                      band.credits(),
                      band.percent(),
                      of,
                      rule.of(),
                      places(band.percent(), of, rule.rounding()),
                      tied))
          .orElseGet(
              () ->
                  new ExplanationSentences.WithinPercent(
                      had.rank(), bands.get(bands.size() - 1).percent(), of, tied));
    }

    @Override
    public Sentence milestones(Milestones rule) {
      boolean fewestWin = rules.scale().scoring().fewestWin();
      return rule.steps().stream()
          .filter(step -> step.credits() == credits)
          .filter(step -> fewestWin ? had.points() <= step.points() : had.points() >= step.points())
          .reduce((easier, harder) -> harder)
          .<Sentence>map(
              step ->
                  fewestWin
                      ? new ExplanationSentences.ForFewPoints(had.points(), credits, step.points())
                      : new ExplanationSentences.ForPoints(had.points(), credits, step.points()))
          .orElseGet(() -> new ExplanationSentences.Points(had.points()));
    }

    @Override
    public Sentence perAction(PerAction rule) {
      return new ExplanationSentences.ForAction(
          rule.action(), had.times().applyAsLong(rule.action()), rule.credits());
    }

    @Override
    public Sentence takingPart(TakingPart rule) {
      return new ExplanationSentences.ForTakingPart(rule.credits());
    }

    private @Nullable Sentence tied(Ties ties) {
      boolean noTies = ties == Ties.EACH && rules.ranks() == RankMethod.UNIQUE;
      if (had.tied() <= 1 || noTies) {
        return null;
      }
      return switch (ties) {
        case EACH -> new ExplanationSentences.EachGets(had.tied());
        case SHARE -> new ExplanationSentences.Share(had.tied());
        case HOLD, ORDER -> new ExplanationSentences.DecidedByPerson(had.tied());
      };
    }
  }

  private static boolean isWithin(@Nullable Long rank, long places) {
    return rank != null && rank <= places;
  }

  private static long places(BigDecimal percent, long of, Rounding rounding) {
    return percent
        .multiply(BigDecimal.valueOf(of))
        .movePointLeft(2)
        .setScale(0, rounding.isUp() ? RoundingMode.UP : RoundingMode.DOWN)
        .longValueExact();
  }
}

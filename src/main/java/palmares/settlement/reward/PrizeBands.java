package palmares.settlement.reward;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import palmares.rules.payout.RewardRule.Band;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.Share;
import palmares.rules.payout.RewardRule.Step;
import palmares.rules.payout.RewardRule.TopPercent;

/** Converts rules into bands of positions or of points, each of which pays one prize. */
final class PrizeBands {
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private PrizeBands() {}

  /** Returns the positions that each share of the members takes. */
  static List<Band> of(TopPercent rule, long denominator) {
    RoundingMode mode = rule.rounding().isUp() ? RoundingMode.CEILING : RoundingMode.FLOOR;
    var bands = new ArrayList<Band>();
    long taken = 0;
    for (Share share : rule.bands()) {
      long last =
          share
              .percent()
              .multiply(BigDecimal.valueOf(denominator))
              .divide(HUNDRED, 0, mode)
              .longValueExact();
      if (last > taken) {
        bands.add(new Band(taken + 1, last, share.credits()));
        taken = last;
      }
    }
    return bands;
  }

  /** Returns the points for which each step is the last one reached. */
  static List<Band> of(Milestones rule, boolean fewestWin) {
    var bands = new ArrayList<Band>();
    List<Step> steps = rule.steps();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      boolean last = i == steps.size() - 1;
      bands.add(
          fewestWin
              ? new Band(last ? 0 : steps.get(i + 1).points() + 1, step.points(), step.credits())
              : new Band(
                  step.points(),
                  last ? Long.MAX_VALUE : steps.get(i + 1).points() - 1,
                  step.credits()));
    }
    return bands;
  }

  static Map<String, Object> parameters(List<Band> unordered) {
    List<Band> bands = unordered.stream().sorted(Comparator.comparing(Band::from)).toList();
    return Map.of(
        "firsts", bands.stream().map(Band::from).toList(),
        "lasts", bands.stream().map(Band::to).toList(),
        "prizes", bands.stream().map(Band::credits).toList(),
        "last", bands.stream().mapToLong(Band::to).max().orElse(0));
  }
}

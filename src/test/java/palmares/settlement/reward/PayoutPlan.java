package palmares.settlement.reward;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a test's board pays, as its file says it.
 *
 * @param scoring as board files spell it, like all other words
 * @param minPoints null if the file has none
 * @param budget of a period, by currency
 */
record PayoutPlan(
    String scoring,
    String ranks,
    List<RewardPlan> rewards,
    String match,
    String eligible,
    String forfeited,
    @Nullable Long minPoints,
    String approval,
    String owed,
    Map<String, Long> budget) {

  /** What a rule pays for. */
  enum Kind {
    RANKS,
    TOP,
    POINTS,
    PER,
    TAKING_PART
  }

  /**
   * A prize.
   *
   * @param from the first rank; else 0
   * @param to the last rank, a tenth of a percent, or the points of a step
   */
  record Prize(long from, long to, long credits) {}

  /**
   * A rule.
   *
   * @param prizes as the file lists them; of some kinds, one
   * @param action that a rule per action pays
   */
  record RewardPlan(
      String name,
      String currency,
      Kind kind,
      List<Prize> prizes,
      String action,
      String ties,
      String remainder,
      String of,
      String rounding) {
    long credits() {
      return prizes.get(0).credits();
    }

    boolean holdsTies() {
      return ties.equals("hold");
    }

    private String text() {
      String paid =
          switch (kind) {
            case TAKING_PART -> "taking-part: " + credits();
            case PER -> "per: %s, credits: %d".formatted(action, credits());
            case POINTS -> "points: { " + list(prize -> "" + prize.to()) + " }";
            case RANKS -> "ranks: { " + list(RewardPlan::ranks) + " }" + tiesText();
            case TOP ->
                "top: { %s }%s, of: %s, rounding: %s"
                    .formatted(list(prize -> prize.to() / 10.0 + "%"), tiesText(), of, rounding);
          };
      return "  - { rule: %s, currency: %s, %s }\n".formatted(name, currency, paid);
    }

    private String list(Function<Prize, String> place) {
      return prizes.stream()
          .map(prize -> place.apply(prize) + ": " + prize.credits())
          .collect(Collectors.joining(", "));
    }

    private static String ranks(Prize prize) {
      return prize.from() == prize.to() ? "" + prize.to() : prize.from() + "-" + prize.to();
    }

    private String tiesText() {
      return ties.equals("each") ? "" : ", ties: %s, remainder: %s".formatted(ties, remainder);
    }
  }

  boolean fewestWin() {
    return scoring.equals("lowest-best");
  }

  PayoutPlan with(List<RewardPlan> others) {
    return new PayoutPlan(
        scoring, ranks, others, match, eligible, forfeited, minPoints, approval, owed, budget);
  }

  PayoutPlan on(String otherApproval, String otherOwed, Map<String, Long> otherBudget) {
    return new PayoutPlan(
        scoring,
        ranks,
        rewards,
        match,
        eligible,
        forfeited,
        minPoints,
        otherApproval,
        otherOwed,
        otherBudget);
  }

  /** Rewards and payout, as a file has them. */
  String text() {
    var text = new StringBuilder("rewards:\n");
    rewards.forEach(reward -> text.append(reward.text()));
    text.append("payout: { match: ").append(match);
    text.append(", eligible: ").append(eligible);
    text.append(", forfeited: ").append(forfeited);
    text.append(", approval: ").append(approval).append(", owed: ").append(owed);
    text.append(minPoints == null ? "" : ", min-points: " + minPoints);
    if (!budget.isEmpty()) {
      text.append(", budget: { ");
      text.append(
          budget.entrySet().stream()
              .map(each -> "%s: { period: %d }".formatted(each.getKey(), each.getValue()))
              .collect(Collectors.joining(", ")));
      text.append(" }");
    }
    return text.append(" }\n").toString();
  }
}

package palmares.operations.amendment;

import java.util.HashMap;
import java.util.Objects;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.payout.RewardRule;

/** What other rules may change in a period that is over: ranks and payout, and nothing else. */
final class RuleReplacement {
  private RuleReplacement() {}

  /**
   * @throws AmendmentRefused if they differ from those that the period opened under in what its
   *     lines were made of
   */
  static void require(Period period, Board opened, Board rules) {
    String what =
        !opened.calendar().equals(rules.calendar()) || !opened.zone().equals(rules.zone())
            ? "the period's boundaries"
            : !opened.scale().equals(rules.scale())
                ? "what is measured"
                : !opened.actions().equals(rules.actions())
                    ? "what actions are worth"
                    : !Objects.equals(opened.adoption(), rules.adoption())
                        ? "how scores are read"
                        : null;
    if (what != null) {
      throw new AmendmentRefused(
          "the rules given for %s change %s, which is settled: only ranks, rewards and payout may"
                  .formatted(period.label(), what)
              + " differ from those that it opened under");
    }
  }

  /**
   * @throws AmendmentRefused if a rule of the same name pays in another currency: what was paid in
   *     the one could not be told from what is owed in the other
   */
  static void requireSameCurrencies(Period period, Board before, Board after) {
    var currencies = new HashMap<String, String>();
    before.payout().rules().forEach(rule -> currencies.put(rule.name(), rule.currency()));
    for (RewardRule rule : after.payout().rules()) {
      String former = currencies.get(rule.name());
      if (former != null && !former.equals(rule.currency())) {
        throw new AmendmentRefused(
            "the rule '%s' paid %s for %s, and would pay %s: give it another name"
                .formatted(rule.name(), former, period.label(), rule.currency()));
      }
    }
  }
}

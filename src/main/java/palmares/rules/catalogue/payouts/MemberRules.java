package palmares.rules.catalogue.payouts;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Entry;
import palmares.platform.form.FormValue;
import palmares.platform.form.Suggestion;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.Step;
import palmares.rules.payout.RewardRule.TakingPart;

/** Rules that pay for what a member did, wherever it stands. */
final class MemberRules {
  private MemberRules() {}

  static TakingPart takingPart(FormValue rule) {
    return new TakingPart(
        rule.get(RewardForm.RULE), rule.get(RewardForm.CURRENCY), rule.get(RewardForm.TAKING_PART));
  }

  static Milestones milestones(
      FormValue rule, PayoutContext payoutContext, @Nullable Long minPoints) {
    List<Entry<Long, Long>> entries = rule.get(RewardForm.POINTS);
    var steps = new ArrayList<Step>();
    for (int i = 0; i < entries.size(); i++) {
      var entry = entries.get(i);
      Long before = i == 0 ? null : entries.get(i - 1).key();
      Long next = i == entries.size() - 1 ? null : entries.get(i + 1).key();
      if (before != null && !isFarther(entry.key(), before, payoutContext)) {
        entry
            .location()
            .fault(
                "must be %s than the %d above it: the easiest step stands first"
                    .formatted(payoutContext.fewestWin() ? "fewer" : "more", before));
      } else {
        checkReach(entry, next, payoutContext, minPoints);
      }
      steps.add(new Step(entry.key(), requireNonNull(entry.value())));
    }
    return new Milestones(rule.get(RewardForm.RULE), rule.get(RewardForm.CURRENCY), steps);
  }

  private static boolean isFarther(long step, long before, PayoutContext payoutContext) {
    return payoutContext.fewestWin() ? step < before : step > before;
  }

  /** A step that nobody can be paid for is a mistake in a figure. */
  private static void checkReach(
      Entry<Long, Long> step,
      @Nullable Long next,
      PayoutContext payoutContext,
      @Nullable Long minPoints) {
    Long most = payoutContext.maxPoints();
    if (most != null && step.key() > most && !payoutContext.fewestWin()) {
      step.location()
          .fault("can never be reached: max-points is %d, so it would pay nobody".formatted(most));
    } else if (minPoints != null
        && next != null
        && isFarther(next, step.key(), payoutContext)
        && (payoutContext.fewestWin() ? next >= minPoints : next <= minPoints)) {
      step.location()
          .fault(
              "can never pay: who has reached min-points, %d, has also reached the next step, %d"
                  .formatted(minPoints, next));
    }
  }

  static @Nullable RewardRule perAction(FormValue rule, PayoutContext payoutContext) {
    String action = rule.get(RewardForm.PER);
    String wrong = wrong(action, payoutContext);
    if (wrong != null) {
      rule.spot(RewardForm.PER).fault(wrong);
      return null;
    }
    Long credits = rule.find(RewardForm.CREDITS);
    if (credits == null) {
      rule.spot(RewardForm.CREDITS).fault("is missing: what each '%s' pays".formatted(action));
      return null;
    }
    return new PerAction(rule.get(RewardForm.RULE), rule.get(RewardForm.CURRENCY), action, credits);
  }

  private static @Nullable String wrong(String action, PayoutContext payoutContext) {
    if (payoutContext.adopted()) {
      return "does not go with adopt: nobody sends us the actions; pay by ranks, top or points";
    }
    if (payoutContext.scoring() != null && payoutContext.scoring().takesValues()) {
      return "goes only with scoring: add: with %s, better values count, not how many"
          .formatted(payoutContext.scoring().word());
    }
    var names = payoutContext.actions().keySet();
    return names.isEmpty() || names.contains(action)
        ? null
        : "must be one of the board's actions (%s), not '%s'%s"
            .formatted(String.join(", ", names), action, Suggestion.hint(action, names));
  }
}

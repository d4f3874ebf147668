package palmares.settlement.reward;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import palmares.period.exclusion.ExclusionLevel;
import palmares.rules.payout.RewardRule.Ties;
import palmares.testing.Fact;
import palmares.testing.RandomFacts;

/**
 * All that is random of a history. Each step can be left out; then later ones that cannot be taken
 * without it are passed over.
 *
 * @param text the board's file without its payout
 * @param rewards what the file says of its payout
 */
record History(long seed, RandomFacts chance, String text, PayoutPlan rewards, List<Step> steps) {
  private static final int MAX_ATTEMPTS = Integer.getInteger("tests.shrink", 200);

  /** What somebody does. Periods are counted from 0. */
  sealed interface Step {}

  /** The next period begins. */
  record Begin() implements Step {}

  /** Events, at the end of the period that began last. */
  record Send(List<Fact> facts) implements Step {}

  /**
   * @param isLast whether in the last microsecond of the period
   */
  record Register(String member, boolean isLast) implements Step {}

  record Forget(String member) implements Step {}

  /**
   * @param scope the board, all boards, or a list that the board may name
   * @param from null for any time
   */
  record Exclude(
      String member,
      ExclusionLevel level,
      String scope,
      @Nullable Instant from,
      @Nullable Instant until)
      implements Step {}

  record Lift(int which) implements Step {}

  /** Redis loses all, and the live board is rebuilt. */
  record Wipe() implements Step {}

  /** Looks at a live board, or a settled one. */
  record Look(int period, String member) implements Step {}

  /**
   * @param isRejectedFirst if a person is asked
   */
  record Close(int period, Ties ties, boolean isRejectedFirst) implements Step {}

  /** A decision on a late event. */
  record Decide(int period, int which, boolean accepts) implements Step {}

  /**
   * @param points by hand
   * @param rewards other rules; null for the present ones
   */
  record Amend(
      int period,
      Map<String, Long> points,
      Ties ties,
      @Nullable PayoutPlan rewards,
      boolean isRejected)
      implements Step {}

  private History with(List<Step> fewer) {
    return new History(seed, chance, text, rewards, fewer);
  }

  /** Leaves out steps, events and rules, as long as it still differs. */
  History smallest(Predicate<History> differs) {
    var attempts = new int[] {0};
    Predicate<History> stillDiffers =
        smaller -> attempts[0]++ < MAX_ATTEMPTS && differs.test(smaller);
    History small = with(reduced(steps, fewer -> stillDiffers.test(with(fewer))));
    for (int i = 0; i < small.steps().size(); i++) {
      if (small.steps().get(i) instanceof Send send) {
        History before = small;
        int at = i;
        List<Fact> facts =
            reduced(send.facts(), fewer -> stillDiffers.test(before.sending(at, fewer)));
        small = before.sending(at, facts);
      }
    }
    History all = small;
    return all.paying(
        reduced(all.rewards().rewards(), fewer -> stillDiffers.test(all.paying(fewer))));
  }

  private History sending(int at, List<Fact> facts) {
    var others = new ArrayList<>(steps);
    others.set(at, new Send(facts));
    return with(others);
  }

  private History paying(List<PayoutPlan.RewardPlan> rules) {
    return new History(seed, chance, text, rewards.with(rules), steps);
  }

  /** Leaves out halves, then quarters, and so on. */
  private static <T> List<T> reduced(List<T> items, Predicate<List<T>> differs) {
    List<T> kept = items;
    for (int size = Math.max(1, items.size() / 2); ; size /= 2) {
      for (int from = 0; from + size <= kept.size() && kept.size() > 1; ) {
        var fewer = new ArrayList<>(kept);
        fewer.subList(from, from + size).clear();
        if (differs.test(fewer)) {
          kept = fewer;
        } else {
          from += size;
        }
      }
      if (size <= 1) {
        return kept;
      }
    }
  }

  long events() {
    return steps.stream()
        .mapToLong(step -> step instanceof Send send ? send.facts().size() : 0)
        .sum();
  }

  @Override
  public String toString() {
    var text = new StringBuilder("seed " + seed);
    steps.forEach(step -> text.append("\n  ").append(step));
    return text.append("\nof\n").append(this.text).append(rewards.text()).toString();
  }
}

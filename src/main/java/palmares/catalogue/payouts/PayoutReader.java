package palmares.catalogue.payouts;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import palmares.form.Entry;
import palmares.form.Field;
import palmares.form.Filled;
import palmares.form.Nearest;
import palmares.form.Spot;
import palmares.payout.Budget;
import palmares.payout.Control;
import palmares.payout.Control.Approval;
import palmares.payout.Payout;
import palmares.payout.RewardRule;

/** Makes a board's payout of its file, and checks that it can be paid as it stands. */
public final class PayoutReader {
  private final Filled file;
  private final @Nullable Filled table;
  private final Ground ground;

  private PayoutReader(Filled file, Ground ground) {
    this.file = file;
    this.ground = ground;
    Filled found = file.find(PayoutForm.PAYOUT);
    this.table = found != null && found.whole() ? found : null;
  }

  /** The payout; what is wrong with it is noted. */
  public static Payout read(Filled file, Ground ground) {
    return new PayoutReader(file, ground).read();
  }

  private Payout read() {
    Payout silent = Payout.NOTHING;
    List<RewardRule> rules = rules();
    if (table == null) {
      return Payout.of(rules);
    }
    if (!file.has(RewardForm.REWARDS)) {
      file.spot(PayoutForm.PAYOUT)
          .fault("says how rewards are paid where there are none: add rewards, or take it out");
    }
    checkMinPoints(table);
    var budgets = budgets(table, rules);
    return new Payout(
        rules,
        find(PayoutForm.MATCH).orElse(silent.match()),
        table.find(PayoutForm.MIN_POINTS),
        find(PayoutForm.ELIGIBLE).orElse(silent.eligible()),
        find(PayoutForm.FORFEITED).orElse(silent.forfeited()),
        table.find(PayoutForm.COUNTS),
        budgets,
        control(table, rules, budgets),
        find(PayoutForm.OWED).orElse(silent.owed()));
  }

  private <T> Optional<T> find(Field<T> field) {
    return table == null ? Optional.empty() : Optional.ofNullable(table.find(field));
  }

  private List<RewardRule> rules() {
    var entries = file.find(RewardForm.REWARDS);
    if (entries == null) {
      return List.of();
    }
    var rules =
        new RewardReader(
                ground,
                find(PayoutForm.MATCH).orElse(Payout.Match.ALL),
                find(PayoutForm.MIN_POINTS).orElse(null),
                find(PayoutForm.COUNTS).orElse(null))
            .read(entries);
    var worst = new WorstCase(ground);
    rules.forEach(worst::add);
    worst
        .tooLarge()
        .forEach(
            (currency, sum) ->
                file.spot(RewardForm.REWARDS)
                    .fault(
                        "could add up to %d %s on a board of %d members, more than an account can"
                                .formatted(sum, currency, WorstCase.MEMBERS)
                            + " hold: at most %d".formatted(Long.MAX_VALUE)));
    return rules;
  }

  private void checkMinPoints(Filled table) {
    Long least = table.find(PayoutForm.MIN_POINTS);
    Long most = ground.maxPoints();
    if (least != null && most != null && least > most && !ground.fewestWin()) {
      table
          .spot(PayoutForm.MIN_POINTS)
          .fault("is more than max-points, %d: nobody could be paid".formatted(most));
    }
  }

  private static Map<String, Budget> budgets(Filled table, List<RewardRule> rules) {
    var budgets = new LinkedHashMap<String, Budget>();
    var entries = table.find(PayoutForm.BUDGET);
    for (var entry : entries == null ? List.<Entry<String, Filled>>of() : entries) {
      budgets.put(entry.key(), budget(entry, rules));
    }
    return budgets;
  }

  private static Budget budget(Entry<String, Filled> entry, List<RewardRule> rules) {
    Filled filled = Objects.requireNonNull(entry.value());
    Long period = filled.find(PayoutForm.PERIOD_BUDGET);
    Long month = filled.find(PayoutForm.MONTH_BUDGET);
    var paid = new TreeSet<String>();
    rules.forEach(rule -> paid.add(rule.currency()));
    if (!rules.isEmpty() && !paid.contains(entry.key())) {
      entry
          .spot()
          .fault(
              "is a budget in a currency that no rule pays (they pay %s)%s"
                  .formatted(String.join(", ", paid), Nearest.hint(entry.key(), paid)));
    }
    if (period == null && month == null) {
      entry.spot().fault("bounds nothing: say period, month, or both");
    }
    requireSome(filled.spot(PayoutForm.PERIOD_BUDGET), period);
    requireSome(filled.spot(PayoutForm.MONTH_BUDGET), month);
    if (period != null && month != null && month > 0 && month < period) {
      filled
          .spot(PayoutForm.MONTH_BUDGET)
          .fault("is less than one period's, %d: raise it, or lower that".formatted(period));
    }
    return new Budget(period, month);
  }

  private static void requireSome(Spot spot, @Nullable Long budget) {
    if (budget != null && budget == 0) {
      spot.fault(
          "is zero, over which every payout is: say approval: required if a person is to look at"
              + " each, or take rewards out if nothing is to be paid");
    }
  }

  private static Control control(
      Filled table, List<RewardRule> rules, Map<String, Budget> budgets) {
    Approval approval = table.get(PayoutForm.APPROVAL);
    Long unusual = table.find(PayoutForm.UNUSUAL);
    var releaseAt = table.find(PayoutForm.RELEASE_AT);
    boolean waits =
        approval != Approval.NONE
            || unusual != null
            || !budgets.isEmpty()
            || rules.stream().anyMatch(RewardRule::holdsTies);
    if (releaseAt != null && !waits) {
      table
          .spot(PayoutForm.RELEASE_AT)
          .fault(
              "releases what never waits: say approval, unusual, a budget or ties: hold, or take it"
                  + " out");
    } else if (releaseAt != null && approval == Approval.TWO_PERSON) {
      table
          .spot(PayoutForm.RELEASE_AT)
          .fault("does not go with approval: two-person: time would do what two must");
    }
    return new Control(approval, unusual == null ? null : unusual.intValue(), releaseAt);
  }
}

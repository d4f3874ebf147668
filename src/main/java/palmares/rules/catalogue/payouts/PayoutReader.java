package palmares.rules.catalogue.payouts;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Entry;
import palmares.platform.form.Field;
import palmares.platform.form.FormValue;
import palmares.platform.form.Location;
import palmares.platform.form.Suggestion;
import palmares.rules.payout.ApprovalPolicy;
import palmares.rules.payout.ApprovalPolicy.Approval;
import palmares.rules.payout.Budget;
import palmares.rules.payout.Payout;
import palmares.rules.payout.RewardRule;

/** Makes a board's payout of its file, and checks that it can be paid as it stands. */
public final class PayoutReader {
  private final FormValue file;
  private final @Nullable FormValue table;
  private final PayoutContext payoutContext;

  private PayoutReader(FormValue file, PayoutContext payoutContext) {
    this.file = file;
    this.payoutContext = payoutContext;
    FormValue found = file.find(PayoutForm.PAYOUT);
    this.table = found != null && found.whole() ? found : null;
  }

  /** The payout; what is wrong with it is noted. */
  public static Payout read(FormValue file, PayoutContext payoutContext) {
    return new PayoutReader(file, payoutContext).read();
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
                payoutContext,
                find(PayoutForm.MATCH).orElse(Payout.Match.ALL),
                find(PayoutForm.MIN_POINTS).orElse(null),
                find(PayoutForm.COUNTS).orElse(null))
            .read(entries);
    var worst = new WorstCase(payoutContext);
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

  private void checkMinPoints(FormValue table) {
    Long least = table.find(PayoutForm.MIN_POINTS);
    Long most = payoutContext.maxPoints();
    if (least != null && most != null && least > most && !payoutContext.fewestWin()) {
      table
          .spot(PayoutForm.MIN_POINTS)
          .fault("is more than max-points, %d: nobody could be paid".formatted(most));
    }
  }

  private static Map<String, Budget> budgets(FormValue table, List<RewardRule> rules) {
    var budgets = new LinkedHashMap<String, Budget>();
    var entries = table.find(PayoutForm.BUDGET);
    for (var entry : entries == null ? List.<Entry<String, FormValue>>of() : entries) {
      budgets.put(entry.key(), budget(entry, rules));
    }
    return budgets;
  }

  private static Budget budget(Entry<String, FormValue> entry, List<RewardRule> rules) {
    FormValue formValue = Objects.requireNonNull(entry.value());
    Long period = formValue.find(PayoutForm.PERIOD_BUDGET);
    Long month = formValue.find(PayoutForm.MONTH_BUDGET);
    var paid = new TreeSet<String>();
    rules.forEach(rule -> paid.add(rule.currency()));
    if (!rules.isEmpty() && !paid.contains(entry.key())) {
      entry
          .location()
          .fault(
              "is a budget in a currency that no rule pays (they pay %s)%s"
                  .formatted(String.join(", ", paid), Suggestion.hint(entry.key(), paid)));
    }
    if (period == null && month == null) {
      entry.location().fault("bounds nothing: say period, month, or both");
    }
    requireSome(formValue.spot(PayoutForm.PERIOD_BUDGET), period);
    requireSome(formValue.spot(PayoutForm.MONTH_BUDGET), month);
    if (period != null && month != null && month > 0 && month < period) {
      formValue
          .spot(PayoutForm.MONTH_BUDGET)
          .fault("is less than one period's, %d: raise it, or lower that".formatted(period));
    }
    return new Budget(period, month);
  }

  private static void requireSome(Location location, @Nullable Long budget) {
    if (budget != null && budget == 0) {
      location.fault(
          "is zero, over which every payout is: say approval: required if a person is to look at"
              + " each, or take rewards out if nothing is to be paid");
    }
  }

  private static ApprovalPolicy control(
      FormValue table, List<RewardRule> rules, Map<String, Budget> budgets) {
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
    return new ApprovalPolicy(approval, unusual == null ? null : unusual.intValue(), releaseAt);
  }
}

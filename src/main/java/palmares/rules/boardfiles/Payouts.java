package palmares.rules.boardfiles;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Scalar.MAX_SAFE_INTEGER;
import static palmares.platform.form.Scalar.choice;
import static palmares.platform.form.Scalar.name;
import static palmares.platform.form.Scalar.text;
import static palmares.platform.form.Scalar.whole;

import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.form.FormValue;
import palmares.platform.form.Location;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.form.SchemaNode.MapNode;
import palmares.rules.payout.ApprovalPolicy;
import palmares.rules.payout.ApprovalPolicy.Approval;
import palmares.rules.payout.Budget;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.rules.payout.Payout;
import palmares.rules.payout.Payout.Eligible;
import palmares.rules.payout.Payout.Forfeited;
import palmares.rules.payout.Payout.Match;
import palmares.rules.payout.RewardRule;

/** Reads how a board pays its rewards, checks that it can pay them so, and describes it. */
final class Payouts {
  static final Field<Match> MATCH = optional("match", choice(Match.values()), "all");
  static final Field<Long> MIN_POINTS = optional("min-points", whole(1, MAX_SAFE_INTEGER));
  static final Field<Eligible> ELIGIBLE =
      optional("eligible", choice(Eligible.values()), "everybody");
  static final Field<Forfeited> FORFEITED =
      optional("forfeited", choice(Forfeited.values()), "nobody");
  static final Field<String> COUNTS = optional("counts", name(new BoardFieldSentences.Currency()));

  static final Field<Long> PERIOD_BUDGET = optional("period", whole(0, MAX_SAFE_INTEGER));
  static final Field<Long> MONTH_BUDGET = optional("month", whole(0, MAX_SAFE_INTEGER));
  static final Form BUDGET_FORM =
      new Form(new BoardFieldSentences.Budget(), List.of(PERIOD_BUDGET, MONTH_BUDGET));
  static final Field<List<Entry<String, FormValue>>> BUDGET =
      optional(
          "budget",
          new MapNode<>(
              new BoardFieldSentences.Budgets(),
              name(new BoardFieldSentences.Currency()),
              BUDGET_FORM));

  static final Field<Approval> APPROVAL = optional("approval", choice(Approval.values()), "none");
  static final Field<Long> UNUSUAL = optional("unusual", whole(2, 1000));
  static final Field<LocalTime> RELEASE_AT =
      optional(
          "release-at",
          text(new BoardFieldSentences.TimeOfDay(), "([01]\\d|2[0-3]):[0-5]\\d", LocalTime::parse));
  static final Field<OverpaymentPolicy> OWED =
      optional("owed", choice(OverpaymentPolicy.values()), "take");

  static final Form PAYOUT_FORM =
      new Form(
          new BoardFieldSentences.Payout(),
          List.of(
              MATCH,
              MIN_POINTS,
              ELIGIBLE,
              FORFEITED,
              COUNTS,
              BUDGET,
              APPROVAL,
              UNUSUAL,
              RELEASE_AT,
              OWED));

  static final Field<FormValue> PAYOUT = optional("payout", PAYOUT_FORM);

  private final FormValue file;
  private final @Nullable FormValue form;
  private final PayoutContext context;

  private Payouts(FormValue file, PayoutContext context) {
    this.file = file;
    this.context = context;
    FormValue found = file.find(PAYOUT);
    this.form = found != null && found.isValid() ? found : null;
  }

  /** Reads the payout, and records its faults. */
  static Payout read(FormValue file) {
    return new Payouts(file, PayoutContext.of(file)).read();
  }

  private Payout read() {
    List<RewardRule> rules = rules();
    if (form == null) {
      return Payout.of(rules);
    }
    if (!file.has(Rewards.REWARDS)) {
      file.fault(PAYOUT, new BoardFileSentences.NothingToPay());
    }
    checkMinPoints(form);
    var budgets = budgets(form, rules);
    return new Payout(
        rules,
        form.get(MATCH),
        form.find(MIN_POINTS),
        form.get(ELIGIBLE),
        form.get(FORFEITED),
        form.find(COUNTS),
        budgets,
        approvalPolicy(form, rules, budgets),
        form.get(OWED));
  }

  private List<RewardRule> rules() {
    var entries = file.find(Rewards.REWARDS);
    if (entries == null) {
      return List.of();
    }
    return new Rewards(
            context,
            form == null ? Payout.Match.ALL : form.get(MATCH),
            form == null ? null : form.find(MIN_POINTS),
            form == null ? null : form.find(COUNTS))
        .read(file.location(Rewards.REWARDS), entries);
  }

  private void checkMinPoints(FormValue form) {
    Long min = form.find(MIN_POINTS);
    Long max = context.maxPoints();
    if (min != null && max != null && min > max && !context.fewestWin()) {
      form.fault(MIN_POINTS, new BoardFileSentences.NobodyHasEnough(max));
    }
  }

  /** Whether every rule was read; of another, nobody knows what it pays. */
  private boolean areAllRead(List<RewardRule> rules) {
    var entries = file.find(Rewards.REWARDS);
    return entries != null && entries.size() == rules.size();
  }

  private Map<String, Budget> budgets(FormValue form, List<RewardRule> rules) {
    var budgets = new LinkedHashMap<String, Budget>();
    var entries = form.find(BUDGET);
    if (entries != null) {
      entries.forEach(entry -> budgets.put(entry.key(), budget(entry, rules)));
    }
    return budgets;
  }

  private Budget budget(Entry<String, FormValue> entry, List<RewardRule> rules) {
    FormValue budget = Objects.requireNonNull(entry.value());
    Long period = budget.find(PERIOD_BUDGET);
    Long month = budget.find(MONTH_BUDGET);
    var paid = new TreeSet<String>();
    rules.forEach(rule -> paid.add(rule.currency()));
    if (!rules.isEmpty() && areAllRead(rules) && !paid.contains(entry.key())) {
      entry.fault(
          new BoardFileSentences.BudgetUnused(List.copyOf(paid), DidYouMean.of(entry.key(), paid)));
    }
    if (period == null && month == null) {
      entry.fault(new BoardFileSentences.BudgetWithoutLimit());
    }
    requirePositive(budget.location(PERIOD_BUDGET), period);
    requirePositive(budget.location(MONTH_BUDGET), month);
    if (period != null && month != null && month > 0 && month < period) {
      budget.fault(MONTH_BUDGET, new BoardFileSentences.BudgetOfMonthTooSmall(period));
    }
    return new Budget(period, month);
  }

  private static void requirePositive(Location location, @Nullable Long budget) {
    if (budget != null && budget == 0) {
      location.fault(new BoardFileSentences.BudgetIsZero());
    }
  }

  private ApprovalPolicy approvalPolicy(
      FormValue form, List<RewardRule> rules, Map<String, Budget> budgets) {
    Approval approval = form.get(APPROVAL);
    Long unusual = form.find(UNUSUAL);
    var releaseAt = form.find(RELEASE_AT);
    boolean mayNeedApproval =
        approval.isRequired()
            || unusual != null
            || !budgets.isEmpty()
            || rules.stream().anyMatch(RewardRule::holdsTies)
            || file.has(Rewards.REWARDS) && !areAllRead(rules);
    if (releaseAt != null && !mayNeedApproval) {
      form.fault(RELEASE_AT, new BoardFileSentences.NothingToRelease());
    } else if (releaseAt != null && approval.isOfTwoPeople()) {
      form.fault(RELEASE_AT, new BoardFileSentences.ReleaseOfTwoPeople());
    }
    return new ApprovalPolicy(approval, unusual == null ? null : unusual.intValue(), releaseAt);
  }

  /** One line for each setting that differs from its default. */
  static Stream<String> describe(Payout payout, boolean fewestWin, Phrases phrases) {
    var lines = new ArrayList<String>();
    if (payout.match().isFirstOnly()) {
      lines.add(phrases.of("first-rule"));
    }
    if (payout.minPoints() != null) {
      lines.add(phrases.of(fewestWin ? "most-points" : "min-points", payout.minPoints()));
    }
    if (payout.eligible().isRegisteredOnly()) {
      lines.add(phrases.of("registered"));
    }
    if (payout.forfeited().movesUp()) {
      lines.add(phrases.of("moves-up"));
    }
    if (payout.counts() != null) {
      lines.add(phrases.of("counts", payout.counts()));
    }
    payout.budgets().forEach((currency, budget) -> lines.add(budget(currency, budget, phrases)));
    lines.addAll(approval(payout.approvalPolicy(), phrases));
    lines.addAll(
        switch (payout.overpaymentPolicy()) {
          case TAKE -> List.<String>of();
          case WRITE_OFF -> List.of(phrases.of("write-off"));
          case DEBT -> List.of(phrases.of("debt"));
        });
    return lines.stream();
  }

  private static String budget(String currency, Budget budget, Phrases phrases) {
    return phrases.of(
        "budget",
        Stream.of(
                limit(budget.period(), currency, "limit-period", phrases),
                limit(budget.month(), currency, "limit-month", phrases))
            .filter(bound -> !bound.isEmpty())
            .collect(Collectors.joining(", ")));
  }

  private static String limit(@Nullable Long limit, String currency, String key, Phrases phrases) {
    return limit == null ? "" : phrases.of(key, limit, currency);
  }

  private static List<String> approval(ApprovalPolicy policy, Phrases phrases) {
    var lines = new ArrayList<String>();
    lines.addAll(
        switch (policy.approval()) {
          case NONE -> List.<String>of();
          case REQUIRED -> List.of(phrases.of("approval"));
          case TWO_PERSON -> List.of(phrases.of("two-people"));
        });
    if (policy.unusual() != null) {
      lines.add(phrases.of("unusual", policy.unusual()));
    }
    if (policy.releaseAt() != null) {
      lines.add(phrases.of("release", policy.releaseAt().toString()));
    }
    return lines;
  }
}

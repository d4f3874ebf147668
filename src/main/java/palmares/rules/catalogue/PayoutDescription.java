package palmares.rules.catalogue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.rules.payout.ApprovalPolicy;
import palmares.rules.payout.Budget;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.rules.payout.Payout;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Band;
import palmares.rules.payout.RewardRule.Denominator;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.Remainder;
import palmares.rules.payout.RewardRule.Rounding;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;

/** Describes a payout in words. */
final class PayoutDescription {
  private final Phrases phrases;

  PayoutDescription(Phrases phrases) {
    this.phrases = phrases;
  }

  /** One line per rule. */
  Stream<String> rules(Payout payout) {
    return payout.rules().stream().map(rule -> rule.accept(new RuleLine()));
  }

  private final class RuleLine implements RewardRule.Visitor<String> {
    @Override
    public String rankPrizes(RankPrizes rule) {
      return rule.bands().stream()
          .map(band -> phrases.of("band", ranks(band), band.credits()))
          .collect(
              Collectors.joining(
                  " · ",
                  phrases.of("by-rank", rule.name(), rule.currency()),
                  ties(rule.ties(), rule.remainder())));
    }

    @Override
    public String topPercent(TopPercent rule) {
      return rule.bands().stream()
          .map(band -> phrases.of("band", band.percent().toPlainString() + "%", band.credits()))
          .collect(
              Collectors.joining(
                  " · ",
                  phrases.of("by-percent", rule.name(), rule.currency(), of(rule)),
                  ties(rule.ties(), rule.remainder())));
    }

    @Override
    public String milestones(Milestones rule) {
      String start = phrases.of("by-points", rule.name(), rule.currency());
      return rule.steps().stream()
          .map(step -> phrases.of("step", step.points(), step.credits()))
          .collect(Collectors.joining(" · ", start, ""));
    }

    @Override
    public String perAction(PerAction rule) {
      return phrases.of("per-action", rule.name(), rule.credits(), rule.currency(), rule.action());
    }

    @Override
    public String takingPart(TakingPart rule) {
      return phrases.of("taking-part", rule.name(), rule.credits(), rule.currency());
    }
  }

  private String of(TopPercent top) {
    return phrases.of(top.of() == Denominator.RANKED ? "of-ranked" : "of-eligible")
        + phrases.of(top.rounding() == Rounding.UP ? "rounded-up" : "rounded-down");
  }

  private String ties(Ties ties, Remainder remainder) {
    return switch (ties) {
      case SHARE ->
          phrases.of(remainder == Remainder.FIRST ? "ties-share-first" : "ties-share-house");
      case HOLD -> phrases.of("ties-hold");
      case EACH, ORDER -> "";
    };
  }

  private static String ranks(Band band) {
    return band.from() == band.to() ? "" + band.from() : band.from() + "-" + band.to();
  }

  /** One line for each setting that differs from its default. */
  Stream<String> policy(Payout payout) {
    var lines = new ArrayList<String>();
    if (payout.match() == Payout.Match.FIRST) {
      lines.add(phrases.of("first-rule"));
    }
    if (payout.minPoints() != null) {
      lines.add(phrases.of("min-points", payout.minPoints()));
    }
    if (payout.eligible() == Payout.Eligible.REGISTERED) {
      lines.add(phrases.of("registered"));
    }
    if (payout.forfeited() == Payout.Forfeited.MOVES_UP) {
      lines.add(phrases.of("moves-up"));
    }
    if (payout.counts() != null) {
      lines.add(phrases.of("counts", payout.counts()));
    }
    payout.budgets().forEach((currency, budget) -> lines.add(budget(currency, budget)));
    lines.addAll(approval(payout.approvalPolicy()));
    if (payout.overpaymentPolicy() != OverpaymentPolicy.TAKE) {
      lines.add(
          phrases.of(payout.overpaymentPolicy() == OverpaymentPolicy.DEBT ? "debt" : "write-off"));
    }
    return lines.stream();
  }

  private String budget(String currency, Budget budget) {
    return phrases.of(
        "budget",
        Stream.of(
                limit(budget.period(), currency, "limit-period"),
                limit(budget.month(), currency, "limit-month"))
            .filter(bound -> !bound.isEmpty())
            .collect(Collectors.joining(", ")));
  }

  private String limit(@Nullable Long limit, String currency, String key) {
    return limit == null ? "" : phrases.of(key, limit, currency);
  }

  private List<String> approval(ApprovalPolicy policy) {
    var lines = new ArrayList<String>();
    if (policy.approval() == ApprovalPolicy.Approval.REQUIRED) {
      lines.add(phrases.of("approval"));
    } else if (policy.approval() == ApprovalPolicy.Approval.TWO_PERSON) {
      lines.add(phrases.of("two-people"));
    }
    if (policy.unusual() != null) {
      lines.add(phrases.of("unusual", policy.unusual()));
    }
    if (policy.releaseAt() != null) {
      lines.add(phrases.of("release", policy.releaseAt().toString()));
    }
    return lines;
  }
}

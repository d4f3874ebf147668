package palmares.rules.catalogue;

import static palmares.rules.catalogue.BoardDescription.text;

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

/** Formats a payout for a terminal. */
final class PayoutDescription {
  private PayoutDescription() {}

  /** One line per rule. */
  static Stream<String> rules(Payout payout) {
    return payout.rules().stream().map(rule -> rule.accept(new RuleLine()));
  }

  private static final class RuleLine implements RewardRule.Visitor<String> {
    @Override
    public String rankPrizes(RankPrizes rule) {
      return rule.bands().stream()
          .map(band -> text("%s: %,d", ranks(band), band.credits()))
          .collect(
              Collectors.joining(
                  " · ",
                  text("%s: %s by rank ", rule.name(), rule.currency()),
                  ties(rule.ties(), rule.remainder())));
    }

    @Override
    public String topPercent(TopPercent rule) {
      return rule.bands().stream()
          .map(band -> text("%s%%: %,d", band.percent().toPlainString(), band.credits()))
          .collect(
              Collectors.joining(
                  " · ",
                  text("%s: %s by top percent of %s ", rule.name(), rule.currency(), of(rule)),
                  ties(rule.ties(), rule.remainder())));
    }

    @Override
    public String milestones(Milestones rule) {
      String start = text("%s: %s by points ", rule.name(), rule.currency());
      return rule.steps().stream()
          .map(step -> text("%,d: %,d", step.points(), step.credits()))
          .collect(Collectors.joining(" · ", start, ""));
    }

    @Override
    public String perAction(PerAction rule) {
      return text("%s: %,d %s per %s", rule.name(), rule.credits(), rule.currency(), rule.action());
    }

    @Override
    public String takingPart(TakingPart rule) {
      return text("%s: %,d %s for taking part", rule.name(), rule.credits(), rule.currency());
    }
  }

  private static String of(TopPercent top) {
    String members = top.of() == Denominator.RANKED ? "the ranked" : "the eligible";
    return members + (top.rounding() == Rounding.UP ? ", rounded up," : ", rounded down,");
  }

  private static String ties(Ties ties, Remainder remainder) {
    String rest = remainder == Remainder.FIRST ? "the first of them" : "the house";
    return switch (ties) {
      case SHARE -> "; ties share, the rest to " + rest;
      case HOLD -> "; a person decides ties";
      case EACH, ORDER -> "";
    };
  }

  private static String ranks(Band band) {
    return band.from() == band.to() ? "" + band.from() : band.from() + "-" + band.to();
  }

  /** One line for each setting that differs from its default. */
  static Stream<String> policy(Payout payout) {
    var lines = new ArrayList<String>();
    if (payout.match() == Payout.Match.FIRST) {
      lines.add("only the first rule that pays a member");
    }
    if (payout.minPoints() != null) {
      lines.add(text("only to members with at least %,d points", payout.minPoints()));
    }
    if (payout.eligible() == Payout.Eligible.REGISTERED) {
      lines.add("only to members registered by the period's end");
    }
    if (payout.forfeited() == Payout.Forfeited.MOVES_UP) {
      lines.add("prizes of members who may not have one move to those behind");
    }
    if (payout.counts() != null) {
      lines.add("never in " + payout.counts() + ", which the board's points count");
    }
    payout.budgets().forEach((currency, budget) -> lines.add(budget(currency, budget)));
    lines.addAll(approval(payout.control()));
    if (payout.owed() != OverpaymentPolicy.TAKE) {
      lines.add(
          payout.owed() == OverpaymentPolicy.DEBT
              ? "what an amendment takes away becomes a debt"
              : "what an amendment takes away is written off");
    }
    return lines.stream();
  }

  private static String budget(String currency, Budget budget) {
    return Stream.of(
            limit(budget.period(), currency, "period"), limit(budget.month(), currency, "month"))
        .filter(bound -> !bound.isEmpty())
        .collect(Collectors.joining(", ", "requires approval over ", ""));
  }

  private static String limit(@Nullable Long limit, String currency, String span) {
    return limit == null ? "" : text("%,d %s a %s", limit, currency, span);
  }

  private static List<String> approval(ApprovalPolicy policy) {
    var lines = new ArrayList<String>();
    if (policy.approval() == ApprovalPolicy.Approval.REQUIRED) {
      lines.add("always requires approval");
    } else if (policy.approval() == ApprovalPolicy.Approval.TWO_PERSON) {
      lines.add("always requires approval by a second person");
    }
    if (policy.unusual() != null) {
      lines.add(
          text(
              "requires approval at %d times its usual size or more, or 1/%<d of it or less",
              policy.unusual()));
    }
    if (policy.releaseAt() != null) {
      lines.add("approved automatically at " + policy.releaseAt());
    }
    return lines;
  }
}

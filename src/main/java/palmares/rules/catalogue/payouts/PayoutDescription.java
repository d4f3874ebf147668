package palmares.rules.catalogue.payouts;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

/** A payout as people read it on a terminal. */
public final class PayoutDescription {
  private PayoutDescription() {}

  /** A line a rule. */
  public static Stream<String> rules(Payout payout) {
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
          .map(band -> text("%s%%: %,d", plain(band.percent()), band.credits()))
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

  private static String plain(BigDecimal percent) {
    return percent.toPlainString();
  }

  /** A line for each thing that is not as it is where a file is silent. */
  public static Stream<String> policy(Payout payout) {
    var lines = new ArrayList<String>();
    if (payout.match() == Payout.Match.FIRST) {
      lines.add("only the first rule that gives a member something");
    }
    if (payout.minPoints() != null) {
      lines.add(text("to nobody short of %,d points", payout.minPoints()));
    }
    if (payout.eligible() == Payout.Eligible.REGISTERED) {
      lines.add("only to members registered by the period's end");
    }
    if (payout.forfeited() == Payout.Forfeited.MOVES_UP) {
      lines.add("prizes of those who may have none move up to those behind");
    }
    if (payout.counts() != null) {
      lines.add("never in " + payout.counts() + ", which the board's points count");
    }
    payout.budgets().forEach((currency, budget) -> lines.add(budget(currency, budget)));
    lines.addAll(control(payout.control()));
    if (payout.owed() != OverpaymentPolicy.TAKE) {
      lines.add(
          payout.owed() == OverpaymentPolicy.DEBT
              ? "what an amendment takes away is left as a debt"
              : "what an amendment takes away is written off");
    }
    return lines.stream();
  }

  private static String budget(String currency, Budget budget) {
    return Stream.of(
            most(budget.period(), currency, "period"), most(budget.month(), currency, "month"))
        .filter(bound -> !bound.isEmpty())
        .collect(Collectors.joining(", ", "asks a person over ", ""));
  }

  private static String most(@Nullable Long most, String currency, String span) {
    return most == null ? "" : text("%,d %s a %s", most, currency, span);
  }

  private static List<String> control(ApprovalPolicy control) {
    var lines = new ArrayList<String>();
    if (control.approval() == ApprovalPolicy.Approval.REQUIRED) {
      lines.add("always waits for a person");
    } else if (control.approval() == ApprovalPolicy.Approval.TWO_PERSON) {
      lines.add("always waits for another person than who prepared it");
    }
    if (control.unusual() != null) {
      lines.add(
          text("asks a person at %d times its usual size, or less than 1/%<d", control.unusual()));
    }
    if (control.releaseAt() != null) {
      lines.add("goes on by itself at " + control.releaseAt());
    }
    return lines;
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}

package palmares.rules.catalogue.payouts;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Scalars.MOST;
import static palmares.platform.form.Scalars.choice;
import static palmares.platform.form.Scalars.name;
import static palmares.platform.form.Scalars.text;
import static palmares.platform.form.Scalars.whole;

import java.time.LocalTime;
import java.util.List;
import palmares.platform.form.Entry;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.Table;
import palmares.rules.payout.ApprovalPolicy.Approval;
import palmares.rules.payout.Choice;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.rules.payout.Payout.Eligible;
import palmares.rules.payout.Payout.Forfeited;
import palmares.rules.payout.Payout.Match;

/** The fields of what rules alone do not say: who may be paid, how much, under whose eyes. */
public final class PayoutForm {
  static final Field<Match> MATCH =
      optional(
          "match",
          choice(List.of(Match.values()), Choice::word),
          "all",
          "Whether a member gets what all rules give, or only the first, in the file's order, that"
              + " gives it something.");
  static final Field<Long> MIN_POINTS =
      optional(
          "min-points",
          whole(1, MOST),
          "Who has fewer gets nothing by any rule; where the fewest win, who has more.");
  static final Field<Eligible> ELIGIBLE =
      optional(
          "eligible",
          choice(List.of(Eligible.values()), Choice::word),
          "everybody",
          "Who may be paid: everybody, or members who had registered by the period's end.");
  static final Field<Forfeited> FORFEITED =
      optional(
          "forfeited",
          choice(List.of(Forfeited.values()), Choice::word),
          "nobody",
          "What becomes of the prize of a ranked member who may not have one: nobody gets it, or"
              + " those behind move up to it.");
  static final Field<String> COUNTS =
      optional(
          "counts",
          name("a currency"),
          "The currency whose movements the board's points stand for. No rule may pay in it: the"
              + " prize would feed the board that it is won on.");

  static final Field<Long> PERIOD_BUDGET =
      optional("period", whole(0, MOST), "The most in one period.");
  static final Field<Long> MONTH_BUDGET =
      optional(
          "month",
          whole(0, MOST),
          "The most in all periods that end in one month of the board's zone.");
  static final Form A_BUDGET = new Form("a budget", List.of(PERIOD_BUDGET, MONTH_BUDGET));
  static final Field<List<Entry<String, FormValue>>> BUDGET =
      optional(
          "budget",
          new Table<>("budgets by currency", name("a currency"), A_BUDGET),
          "The most that is paid without asking a person, by currency: credits: { period: 10000"
              + " }.");

  static final Field<Approval> APPROVAL =
      optional(
          "approval",
          choice(List.of(Approval.values()), Choice::word),
          "none",
          "Whether every closing waits for a person before it pays; two-person: for another one"
              + " than who prepared it.");
  static final Field<Long> UNUSUAL =
      optional(
          "unusual",
          whole(2, 1000),
          "Ask a person before a payout that is so many times its usual size or more, or so small a"
              + " part of it or less.");
  static final Field<LocalTime> RELEASE_AT =
      optional(
          "release-at",
          text("a time of day such as \"09:00\"", "([01]\\d|2[0-3]):[0-5]\\d", LocalTime::parse),
          "The time of day in the board's zone at which what waits for a person goes on by itself;"
              + " never if it is not said.");
  static final Field<OverpaymentPolicy> OWED =
      optional(
          "owed",
          choice(List.of(OverpaymentPolicy.values()), Choice::word),
          "take",
          "What becomes of what an amendment takes away: taken from the member's account, written"
              + " off, or left as the member's debt.");

  static final Form TABLE =
      new Form(
          "a payout",
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

  /** How a board's rewards are paid. */
  public static final Field<FormValue> PAYOUT =
      optional("payout", TABLE, "How the rewards are paid: to whom, how much, who is asked.");

  private PayoutForm() {}
}

package palmares.rules.catalogue.payouts;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalars.MOST;
import static palmares.platform.form.Scalars.choice;
import static palmares.platform.form.Scalars.name;
import static palmares.platform.form.Scalars.whole;

import java.math.BigDecimal;
import java.util.List;
import palmares.platform.form.Entry;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.ListNode;
import palmares.platform.form.Scalar;
import palmares.platform.form.Scalars;
import palmares.platform.form.Table;
import palmares.rules.payout.Choice;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Denominator;
import palmares.rules.payout.RewardRule.Remainder;
import palmares.rules.payout.RewardRule.Rounding;
import palmares.rules.payout.RewardRule.Ties;

/** The fields of reward rules. */
public final class RewardForm {
  static final String REFUSED = "refused";

  static final Field<String> RULE =
      required(
          "rule",
          name("a rule's name"),
          "The rule's name, part of each payment's key: keep it while its figures change.");
  static final Field<String> CURRENCY =
      optional("currency", name("a currency"), RewardRule.CREDITS, "What the rule pays in.");
  static final Field<List<Entry<RankRange, Long>>> RANKS =
      optional(
          "ranks",
          new Table<>("credits by rank", RankRange.schemaNode(), whole(1, MOST)),
          "Credits by final rank, best first: 1: 5000, 2-3: 2000, 4-10: 500.");
  static final Field<List<Entry<BigDecimal, Long>>> TOP =
      optional(
          "top",
          new Table<>("credits by top percent", Percent.shape("a percentage"), whole(1, MOST)),
          "Credits for the best percent of the members, best first: 1%: 500, 10%: 50. Each band"
              + " begins where the one before it ends.");
  static final Field<List<Entry<Long, Long>>> POINTS =
      optional(
          "points",
          new Table<>("credits by points", points(), whole(1, MOST)),
          "Credits for points reached, the easiest step first: 100: 10, 500: 60. The farthest step"
              + " that a member has reached pays. Where the fewest win: at most so many points.");
  static final Field<String> PER =
      optional("per", name("an action's name"), "The action of this board that is paid for.");
  static final Field<Long> CREDITS =
      optional("credits", whole(1, MOST), "What each one of the action pays; undone ones do not.");
  static final Field<Long> TAKING_PART =
      optional("taking-part", whole(1, MOST), "What everybody who took part gets.");
  static final Field<Ties> TIES =
      optional(
          "ties",
          choice(List.of(Ties.EACH, Ties.SHARE, Ties.HOLD), Choice::word),
          "each",
          "What members of one rank get: each its prize, the prizes of all the places that they"
              + " take in equal parts (share), or what a person decides before anything is paid"
              + " (hold).");
  static final Field<Remainder> REMAINDER =
      optional(
          "remainder",
          choice(List.of(Remainder.values()), Choice::word),
          "first",
          "Credits that do not divide among those who share: one more for each of the first of"
              + " them, or left with the house.");
  static final Field<Denominator> OF =
      optional(
          "of",
          choice(List.of(Denominator.values()), Choice::word),
          "ranked",
          "What the percentages are of: all members who have a rank, or those who may have a"
              + " prize.");
  static final Field<Rounding> ROUNDING =
      optional(
          "rounding",
          choice(List.of(Rounding.values()), Choice::word),
          "up",
          "What becomes of a fraction of a place: one place more, or none.");
  static final Field<String> GAPS =
      optional(
          "gaps",
          choice(List.of(REFUSED, "allowed"), word -> word),
          "allowed",
          "Whether there may be ranks without a prize between those that have one.");

  static final Form REWARD =
      new Form(
          "a reward rule",
          List.of(
              RULE,
              CURRENCY,
              RANKS,
              TOP,
              POINTS,
              PER,
              CREDITS,
              TAKING_PART,
              TIES,
              REMAINDER,
              OF,
              ROUNDING,
              GAPS));

  /** The rules of a board. */
  public static final Field<List<Entry<Integer, FormValue>>> REWARDS =
      optional(
          "rewards",
          new ListNode<>("a list of rules", REWARD),
          "What a settled period pays: each rule has one of ranks, top, points, taking-part, or per"
              + " and credits.");

  private RewardForm() {}

  private static Scalar<Long> points() {
    return Scalars.text(
        "points such as 500, at least 1",
        "[1-9]\\d{0,15}",
        text -> Long.parseLong(text) <= MOST ? Long.parseLong(text) : null);
  }
}

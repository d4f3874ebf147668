package palmares.reward;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import palmares.board.Board;
import palmares.board.Holding;
import palmares.board.RankMethod;
import palmares.board.Scoring;
import palmares.bulk.BinaryRows;
import palmares.bulk.Checksum;
import palmares.payout.Payout;
import palmares.payout.RewardRule;
import palmares.payout.RewardRule.Band;
import palmares.payout.RewardRule.Milestones;
import palmares.payout.RewardRule.PerAction;
import palmares.payout.RewardRule.RankPrizes;
import palmares.payout.RewardRule.TakingPart;
import palmares.payout.RewardRule.Ties;

/**
 * Works out payments while the ranked lines of a closing pass, by those rules that need to know
 * nothing but the line; the others are for SQL.
 */
public final class PaymentStream {
  /** The columns in the order of the fields. */
  public static final String COLUMNS = "(amount, outcome, rule, purpose, member)";

  private static final int FIELDS = 5;
  private static final int AWARD = 1;

  private final Revised revised;
  private final BinaryRows rows;
  private final List<Rule> rules;
  private final Checksum checksum = new Checksum();
  private final long least;
  private final long most;

  /** What a rule gives for a line; 0 for nothing. */
  private interface Credits {
    long of(Holding line, int rank);
  }

  private record Rule(RewardRule rule, int number, Credits credits) {}

  PaymentStream(Revised revised, Consumer<byte[]> sink) {
    this.revised = revised;
    this.rows = new BinaryRows(FIELDS, sink);
    this.rules = streamed(revised.board());
    this.least = revised.least();
    this.most = revised.most();
  }

  /** The rules of a board that are left to SQL. */
  static List<RewardRule> others(Board board) {
    List<RewardRule> streamed = streamed(board).stream().map(Rule::rule).toList();
    return board.payout().rules().stream().filter(rule -> !streamed.contains(rule)).toList();
  }

  /** Whoever may be paid by the first rule only needs all rules in one place. */
  private static List<Rule> streamed(Board board) {
    Payout payout = board.payout();
    if (payout.eligible() != Payout.Eligible.EVERYBODY) {
      return List.of();
    }
    var rules = new ArrayList<Rule>();
    List<RewardRule> all = payout.rules();
    for (RewardRule rule : all) {
      Credits credits = credits(board, rule);
      if (credits != null) {
        rules.add(new Rule(rule, all.indexOf(rule) + 1, credits));
      }
    }
    return payout.match() == Payout.Match.FIRST && rules.size() < all.size() ? List.of() : rules;
  }

  /** Null if the line alone does not say what the rule gives. */
  private static @Nullable Credits credits(Board board, RewardRule rule) {
    if (rule instanceof RankPrizes ranks) {
      boolean plain = ranks.ties() == Ties.EACH || board.ranks() == RankMethod.UNIQUE;
      return plain && board.payout().forfeited() == Payout.Forfeited.NOBODY
          ? byBand(ranks.bands(), (line, rank) -> rank)
          : null;
    }
    if (rule instanceof Milestones milestones) {
      return byBand(
          Bands.of(milestones, board.scale().scoring().fewestWin()), (line, rank) -> line.points());
    }
    if (rule instanceof TakingPart part) {
      return (line, rank) -> part.credits();
    }
    if (rule instanceof PerAction per && isOnlyAction(board, per)) {
      long worth = board.actions().values().iterator().next().points();
      return (line, rank) -> Math.multiplyExact(line.points() / worth, per.credits());
    }
    return null;
  }

  /** Then a member's points are those that the action gave. */
  private static boolean isOnlyAction(Board board, PerAction rule) {
    return board.scale().scoring() == Scoring.ADD
        && board.adoption() == null
        && board.actions().size() == 1
        && board.actions().containsKey(rule.action())
        && board.actions().values().iterator().next().points() > 0;
  }

  private static Credits byBand(List<Band> unordered, Credits by) {
    List<Band> bands = unordered.stream().sorted(Comparator.comparing(Band::from)).toList();
    long[] firsts = bands.stream().mapToLong(Band::from).toArray();
    long[] lasts = bands.stream().mapToLong(Band::to).toArray();
    long[] credits = bands.stream().mapToLong(Band::credits).toArray();
    return (line, rank) -> {
      long value = by.of(line, rank);
      int found = java.util.Arrays.binarySearch(firsts, value);
      int band = found >= 0 ? found : -found - 2;
      return band >= 0 && value <= lasts[band] ? credits[band] : 0;
    };
  }

  /**
   * Takes the next line.
   *
   * @throws AwardsTooLarge if an account could not hold what a rule gives for it
   */
  public void next(Holding line, int rank, boolean excluded) {
    if (excluded || line.points() < least || line.points() > most) {
      return;
    }
    boolean first = revised.board().payout().match() == Payout.Match.FIRST;
    for (Rule rule : rules) {
      long amount = amount(rule, line, rank);
      if (amount > 0) {
        write(rule.number(), amount, line.member());
        if (first) {
          return;
        }
      }
    }
  }

  private long amount(Rule rule, Holding line, int rank) {
    try {
      return rule.credits().of(line, rank);
    } catch (ArithmeticException e) {
      throw new AwardsTooLarge(
          "%s: the rule '%s' awards a member more %s than an account can hold"
              .formatted(revised.period().label(), rule.rule().name(), rule.rule().currency()));
    }
  }

  private void write(int rule, long amount, String member) {
    rows.row().int8(amount).int4(revised.revision().id()).int2(rule).int2(AWARD).text(member);
    // As the SQL function payment_hash does.
    checksum.and(rule).and(AWARD).and(amount).end(member);
  }

  /** Gives away what is left; answers how many payments there were. */
  public long finish() {
    return rows.finish();
  }

  /** The sum of payment_hash over them. */
  public BigInteger checksum() {
    return checksum.sum();
  }
}

package palmares.settlement.reward;

import static java.util.stream.Collectors.joining;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.platform.bulk.BinaryRows;
import palmares.platform.bulk.Checksum;
import palmares.platform.bulk.ExactSum;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.rules.payout.Payout;
import palmares.rules.payout.RewardRule;
import palmares.settlement.reward.RulePrizes.Credits;

/**
 * Computes payments while the ranked lines of a closing are read, by the rules that need nothing
 * but the line. SQL computes the payments of the other rules.
 */
public final class PaymentStream {
  /** The columns in the order of the fields. */
  public static final String COLUMNS = "(amount, outcome, rule, purpose, member)";

  private static final int FIELDS = 5;
  private static final int AWARD_PURPOSE = 1;

  private final RevisionContext context;
  private final BinaryRows rows;
  private final List<Rule> rules;
  private final Checksum checksum = new Checksum();
  private final long least;
  private final long most;

  /**
   * A rule of the board.
   *
   * @param awarded the sum of its payments
   */
  private record Rule(RewardRule rule, int number, Credits credits, ExactSum awarded) {}

  PaymentStream(RevisionContext context, Consumer<byte[]> sink) {
    this.context = context;
    this.rows = new BinaryRows(FIELDS, sink);
    this.rules = streamed(context.board());
    this.least = context.least();
    this.most = context.most();
  }

  /** Returns the rules of a board that SQL must compute. */
  static List<RewardRule> others(Board board) {
    List<RewardRule> streamed = streamed(board).stream().map(Rule::rule).toList();
    return board.payout().rules().stream().filter(rule -> !streamed.contains(rule)).toList();
  }

  /** If only the first matching rule pays, either all rules are streamed or none. */
  private static List<Rule> streamed(Board board) {
    Payout payout = board.payout();
    if (payout.eligible().isRegisteredOnly()) {
      return List.of();
    }
    var rules = new ArrayList<Rule>();
    List<RewardRule> all = payout.rules();
    for (RewardRule rule : all) {
      RulePrizes.byLine(board, rule)
          .ifPresent(
              credits -> rules.add(new Rule(rule, all.indexOf(rule) + 1, credits, new ExactSum())));
    }
    return payout.match().isFirstOnly() && rules.size() < all.size() ? List.of() : rules;
  }

  /**
   * Computes the payments of the next line.
   *
   * @throws WrongState if a payment exceeds what an account can hold
   */
  public void next(MemberScore line, int rank, boolean excluded) {
    if (excluded || line.points() < least || line.points() > most) {
      return;
    }
    boolean first = context.board().payout().match().isFirstOnly();
    byte[] member = line.member().getBytes(StandardCharsets.UTF_8);
    for (Rule rule : rules) {
      long amount = amount(rule, line, rank);
      if (amount > 0) {
        rule.awarded().add(amount);
        write(rule.number(), amount, member);
        if (first) {
          return;
        }
      }
    }
  }

  private long amount(Rule rule, MemberScore line, int rank) {
    try {
      return rule.credits().of(line, rank);
    } catch (ArithmeticException e) {
      throw new WrongState(
          new AwardSentences.TooMuch(
              context.period().label(), rule.rule().name(), rule.rule().currency()));
    }
  }

  private void write(int rule, long amount, byte[] member) {
    rows.row().int8(amount).int4(context.outcome()).int2(rule).int2(AWARD_PURPOSE).text(member);
    // The same sum as the SQL function payment_hash.
    checksum.and(rule, AWARD_PURPOSE).and(amount).end(member);
  }

  /**
   * Holds the sums of streamed payments.
   *
   * @param checksum the sum of payment_hash over them
   * @param awarded the sum of the payments by each rule that is streamed, in the order of the rules
   */
  public record Totals(long payments, BigInteger checksum, List<BigInteger> awarded) {
    /** The sums of both together. */
    public Totals plus(Totals other) {
      var sums = new ArrayList<BigInteger>();
      for (int i = 0; i < awarded.size(); i++) {
        sums.add(awarded.get(i).add(other.awarded.get(i)));
      }
      return new Totals(payments + other.payments, checksum.add(other.checksum), sums);
    }
  }

  /** Completes the rows, and returns the sums of all payments. */
  public Totals finish() {
    long payments = rows.finish();
    return new Totals(
        payments, checksum.sum(), rules.stream().map(rule -> rule.awarded().sum()).toList());
  }

  /**
   * Checks the payments of a closing.
   *
   * @throws WrongState if their sum in a currency exceeds what an account can hold
   */
  static void requireRoom(Period period, Board board, Totals totals) {
    var byCurrency = new TreeMap<String, List<String>>();
    var credits = new TreeMap<String, BigInteger>();
    List<Rule> rules = streamed(board);
    for (int i = 0; i < rules.size(); i++) {
      BigInteger awarded = totals.awarded().get(i);
      if (awarded.signum() > 0) {
        RewardRule rule = rules.get(i).rule();
        byCurrency.computeIfAbsent(rule.currency(), none -> new ArrayList<>()).add(rule.name());
        credits.merge(rule.currency(), awarded, BigInteger::add);
      }
    }
    byCurrency.forEach(
        (currency, names) -> {
          BigInteger sum = credits.getOrDefault(currency, BigInteger.ZERO);
          if (sum.bitLength() >= Long.SIZE) {
            throw Awards.tooLarge(
                period, names.stream().sorted().collect(joining(", ")), sum.toString(), currency);
          }
        });
  }
}

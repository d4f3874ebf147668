package palmares.settlement.reward;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.platform.bulk.BulkLoad;
import palmares.rules.board.Board;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Denominator;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.lines.ClosingLines.Totals;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.Withholding.Withheld;

/**
 * Computes what a board's reward rules give the members of a closed period: while their lines are
 * read, or by SQL over all of them.
 */
@Component
public class Awards {
  /** From this many lines on, nested loops are slower than other joins. */
  private static final long MIN_LINES_WITHOUT_NESTED_LOOPS = 1_000;

  private final JdbcClient jdbc;
  private final Revisions revisions;
  private final PlacePrizes places;
  private final RulePrizes prizes;
  private final PaymentDifferences differences;
  private final TierMoves moves;
  private final Withholding withholding;
  private final BulkLoad bulkLoad;

  Awards(
      JdbcClient jdbc,
      Revisions revisions,
      PlacePrizes places,
      RulePrizes prizes,
      PaymentDifferences differences,
      TierMoves moves,
      Withholding withholding,
      BulkLoad bulkLoad) {
    this.jdbc = jdbc;
    this.revisions = revisions;
    this.places = places;
    this.prizes = prizes;
    this.differences = differences;
    this.moves = moves;
    this.withholding = withholding;
    this.bulkLoad = bulkLoad;
  }

  /**
   * Writes the payments of a revision that has none yet, and who moves between tiers. The payments
   * of an amendment are the differences from the awards in force. The awards of flagged lines are
   * withheld.
   *
   * @param board the rules that the revision awards by
   * @param decided how a person decided the ties that the rules leave to a person; null before,
   *     which shares their prizes
   * @throws WrongState if their sum exceeds what an account can hold
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void award(Period period, int revision, Board board, @Nullable Ties decided) {
    Revision whole = find(period, revision);
    var context = RevisionContext.of(period, whole, board);
    withoutNestedLoops(
        context,
        ranked -> {
          if (context.amends()) {
            differences.begin();
          }
          board.payout().rules().forEach(rule -> prizes.award(context, rule, decided));
          requireRoom(context);
          withholding.take(context);
          if (context.amends()) {
            differences.write(whole);
          }
          moves.write(context, ranked);
          return true;
        });
    revisions.markFilled(context.outcome());
  }

  /**
   * Computes the payments of a closing while its lines are read.
   *
   * @param sink receives blocks of rows for the outcome's table of payments
   */
  public PaymentStream stream(Period period, int outcome, Board board, Consumer<byte[]> sink) {
    return new PaymentStream(RevisionContext.ofClosing(period, outcome, board), sink);
  }

  /** Writes the streamed payments of a small closing, which are in these blocks of rows. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void write(int outcome, List<byte[]> blocks) {
    if (!blocks.isEmpty()) {
      bulkLoad.blocks(OutcomeTables.payments(outcome) + " " + PaymentStream.COLUMNS, blocks);
    }
  }

  /** Whether a closing has rules whose payments cannot be streamed. */
  public boolean hasOthers(Board board) {
    return !PaymentStream.others(board).isEmpty();
  }

  /** Writes the payments of a closing that cannot be streamed. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void awardOthers(Period period, int outcome, Board board) {
    List<RewardRule> others = PaymentStream.others(board);
    if (others.isEmpty()) {
      return;
    }
    var context = RevisionContext.ofClosing(period, outcome, board);
    withoutNestedLoops(
        context,
        ranked -> {
          others.forEach(rule -> prizes.award(context, rule, null));
          return true;
        });
  }

  /**
   * Checks the payments of a closing, writes who moves between tiers, withholds the awards of
   * flagged lines, and marks the outcome filled.
   *
   * @param lines the sums of all its lines
   * @param streamed its streamed payments, which are stored; SQL may have computed others
   * @throws WrongState if the sum of all payments exceeds what an account can hold
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void finish(
      Period period, int outcome, Board board, Totals lines, PaymentStream.Totals streamed) {
    var context = RevisionContext.ofClosing(period, outcome, board);
    if (board.tier() != null) {
      moves.write(context, prizes.countRanked(context));
    }
    boolean hasOthers = hasOthers(board);
    if (hasOthers) {
      requireRoom(context);
    } else {
      PaymentStream.requireRoom(period, board, streamed);
    }
    withholding.forget(context);
    Withheld withheld = withholding.take(context);
    if (hasOthers) {
      revisions.markFilled(outcome);
    } else {
      revisions.markFilled(
          outcome,
          lines.lines(),
          lines.checksum(),
          streamed.payments() - withheld.payments(),
          streamed.checksum().subtract(withheld.checksum().toBigIntegerExact()));
    }
  }

  private Revision find(Period period, int revision) {
    return revisions.find(period.id(), revision).orElseThrow();
  }

  private RevisionContext context(Period period, int revision, Board board) {
    return RevisionContext.of(period, find(period, revision), board);
  }

  /**
   * Runs work without nested loops if there are many lines. The planner has no statistics of new
   * lines, and would join a million of them one by one.
   */
  private <T> T withoutNestedLoops(RevisionContext context, LongFunction<T> work) {
    long ranked = prizes.countRanked(context);
    if (ranked < MIN_LINES_WITHOUT_NESTED_LOOPS) {
      return work.apply(ranked);
    }
    jdbc.sql("set local enable_nestloop = off").update();
    T result = work.apply(ranked);
    jdbc.sql("set local enable_nestloop = on").update();
    return result;
  }

  /**
   * Writes the payments of a revision again, as a person decided its ties.
   *
   * @param decided null if the rules leave no ties to a person
   * @throws WrongState if a decision is missing or superfluous
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void decide(Period period, int revision, Board board, @Nullable Ties decided) {
    if (heldTies(period, revision, board).isEmpty() != (decided == null)) {
      throw undecided(period, decided);
    }
    if (decided != null) {
      awardAgain(period, revision, board, decided);
    }
  }

  /**
   * Returns why a decision on ties is refused.
   *
   * @param decided the superfluous decision; null if it is missing
   */
  public static WrongState undecided(Period period, @Nullable Ties decided) {
    return new WrongState(
        decided == null
            ? new AwardSentences.TiesUndecided(period.label())
            : new AwardSentences.NoTies(period.label()));
  }

  /** Returns that the rules of one currency award too much together. */
  static WrongState tooLarge(Period period, String rules, String credits, String currency) {
    return new WrongState(
        new AwardSentences.TooMuchTogether(period.label(), rules, credits, currency));
  }

  private void awardAgain(Period period, int revision, Board board, Ties decided) {
    int outcome = revisions.outcome(period.id(), revision);
    jdbc.sql("delete from %s where outcome = :outcome".formatted(OutcomeTables.payments(outcome)))
        .param("outcome", outcome)
        .update();
    jdbc.sql("delete from withheld_award where outcome = :outcome")
        .param("outcome", outcome)
        .update();
    jdbc.sql("delete from tier_move where period_id = :period and revision = :revision")
        .param("period", period.id())
        .param("revision", revision)
        .update();
    award(period, revision, board, decided);
  }

  /** Finds the ties that the rules leave to a person and whose prizes depend on the decision. */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<HeldTie> heldTies(Period period, int revision, Board board) {
    if (board.payout().rules().stream().noneMatch(RewardRule::holdsTies)) {
      return List.of();
    }
    var context = context(period, revision, board);
    return withoutNestedLoops(
        context,
        ranked ->
            board.payout().rules().stream()
                .flatMap(rule -> prizes.heldTies(context, rule).stream())
                .toList());
  }

  /** Returns the numbers of members that percentages refer to. */
  @Transactional(propagation = Propagation.MANDATORY)
  public Map<Denominator, Long> denominators(Period period, int revision, Board board) {
    var context = context(period, revision, board);
    return withoutNestedLoops(context, ranked -> places.denominators(context));
  }

  private record TooMuch(String currency, String rules, BigDecimal credits) {}

  private void requireRoom(RevisionContext context) {
    jdbc.sql(
            """
            select
              currency,
              string_agg(name, ', ' order by name) as rules,
              sum(credits) as credits
            from (
              select rule, sum(amount) as credits from %s where outcome = :outcome group by rule
            ) by_rule
            join prize on prize.outcome = :outcome and prize.rule = by_rule.rule
            group by currency
            having sum(credits) > :most
            """
                .formatted(context.payments()))
        .param("outcome", context.outcome())
        .param("most", BigDecimal.valueOf(Long.MAX_VALUE))
        .query(TooMuch.class)
        .list()
        .forEach(
            sum -> {
              throw tooLarge(context.period(), sum.rules(), sum.credits() + "", sum.currency());
            });
  }
}

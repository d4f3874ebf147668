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
import palmares.rules.board.Board;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Denominator;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** What a board's reward rules give the members of a closed period, set at a time. */
@Component
public class Awards {
  /** From so many lines on, joining them one by one costs more than it saves on small boards. */
  private static final long MANY = 1_000;

  private final JdbcClient jdbc;
  private final Revisions revisions;
  private final PlacePrizes places;
  private final RulePrizes prizes;
  private final PaymentDifferences differences;
  private final TierMoves moves;
  private final AwardRows rows;

  Awards(
      JdbcClient jdbc,
      Revisions revisions,
      PlacePrizes places,
      RulePrizes prizes,
      PaymentDifferences differences,
      TierMoves moves,
      AwardRows rows) {
    this.jdbc = jdbc;
    this.revisions = revisions;
    this.places = places;
    this.prizes = prizes;
    this.differences = differences;
    this.moves = moves;
    this.rows = rows;
  }

  /**
   * Writes the payments of a revision that has none yet, and who goes up or down from it. Those of
   * an amendment are what differs from the awards that stand.
   *
   * @param board the rules that the revision awards by
   * @param decided how a person decided the ties that the rules leave to one; null while nobody
   *     has, which shares their prizes
   * @throws AwardsTooLarge if an account could not hold them
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void award(Period period, int revision, Board board, @Nullable Ties decided) {
    var revised = revised(period, revision, board);
    planned(
        revised,
        ranked -> {
          if (revised.amends()) {
            differences.begin();
          }
          board.payout().rules().forEach(rule -> prizes.award(revised, rule, decided));
          requireRoom(revised);
          if (revised.amends()) {
            differences.write(revised.revision());
          }
          moves.write(revised, ranked);
          return true;
        });
    revisions.filled(revised.revision().id());
  }

  /**
   * Works out the payments of a big closing while its lines pass.
   *
   * @param sink takes blocks of rows for the outcome's table of payments
   */
  public PaymentStream stream(Period period, Board board, Consumer<byte[]> sink) {
    return new PaymentStream(revised(period, Revision.FIRST, board), sink);
  }

  /**
   * Writes the payments of a big closing that could not be streamed, before its tables have
   * indexes.
   *
   * @return whether there may be any
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public boolean awardOthers(Period period, Board board) {
    List<RewardRule> others = PaymentStream.others(board);
    if (others.isEmpty()) {
      return false;
    }
    var revised = revised(period, Revision.FIRST, board);
    planned(
        revised,
        ranked -> {
          others.forEach(rule -> prizes.award(revised, rule, null));
          return true;
        });
    return true;
  }

  /**
   * Checks the payments of a big closing, and writes who goes up or down from it.
   *
   * @throws AwardsTooLarge if an account could not hold them
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void finish(Period period, Board board) {
    var revised = revised(period, Revision.FIRST, board);
    requireRoom(revised);
    if (board.tier() != null) {
      moves.write(revised, rows.ranked(revised));
    }
  }

  private RevisionContext revised(Period period, int revision, Board board) {
    return new RevisionContext(period, revisions.find(period.id(), revision).orElseThrow(), board);
  }

  /**
   * The planner has no statistics of lines that were written a moment ago: it takes a million for a
   * few, and would look each of them up in all the others.
   */
  private <T> T planned(RevisionContext revised, LongFunction<T> work) {
    long ranked = rows.ranked(revised);
    if (ranked < MANY) {
      return work.apply(ranked);
    }
    jdbc.sql("set local enable_nestloop = off").update();
    T result = work.apply(ranked);
    jdbc.sql("set local enable_nestloop = on").update();
    return result;
  }

  /**
   * Writes the awards of a revision anew, as a person decided its ties.
   *
   * @param decided null where the rules leave none to a person
   * @throws TiesRefused if they do and nothing is decided, or the other way round
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void decide(Period period, int revision, Board board, @Nullable Ties decided) {
    if (heldTies(period, revision, board).isEmpty() != (decided == null)) {
      throw new TiesRefused(period, decided);
    }
    if (decided != null) {
      redo(period, revision, board, decided);
    }
  }

  private void redo(Period period, int revision, Board board, Ties decided) {
    int outcome = revisions.find(period.id(), revision).orElseThrow().id();
    jdbc.sql("delete from %s where outcome = :outcome".formatted(OutcomeTables.payments(outcome)))
        .param("outcome", outcome)
        .update();
    jdbc.sql("delete from tier_move where period_id = :period and revision = :revision")
        .param("period", period.id().value())
        .param("revision", revision)
        .update();
    award(period, revision, board, decided);
  }

  /** The ties that the rules leave to a person and whose prizes depend on the answer. */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<HeldTie> heldTies(Period period, int revision, Board board) {
    var revised = revised(period, revision, board);
    return planned(
        revised,
        ranked ->
            board.payout().rules().stream()
                .flatMap(rule -> prizes.heldTies(revised, rule).stream())
                .toList());
  }

  /** What percentages in the revision are of. */
  @Transactional(propagation = Propagation.MANDATORY)
  public Map<Denominator, Long> denominators(Period period, int revision, Board board) {
    var revised = revised(period, revision, board);
    return planned(revised, ranked -> places.denominators(revised));
  }

  private void requireRoom(RevisionContext revised) {
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
                .formatted(revised.payments()))
        .param("outcome", revised.revision().id())
        .param("most", BigDecimal.valueOf(Long.MAX_VALUE))
        .query(
            (row, n) ->
                "%s: the rules %s award %s %s together, more than an account can hold"
                    .formatted(
                        revised.period().label(),
                        row.getString("rules"),
                        row.getString("credits"),
                        row.getString("currency")))
        .list()
        .forEach(
            message -> {
              throw new AwardsTooLarge(message);
            });
  }
}

package palmares.reward;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.bulk.Piece;
import palmares.payout.RewardRule.Denominator;
import palmares.payout.RewardRule.Ties;
import palmares.period.Period;
import palmares.revision.Revision;

/** What a board's reward rules give the members of a closed period, set at a time. */
@Component
public class Awards {
  /** From so many lines on, joining them one by one costs more than it saves on small boards. */
  private static final long MANY = 1_000;

  private final JdbcClient jdbc;
  private final PlacePrizes places;
  private final RulePrizes prizes;
  private final TierMoves moves;
  private final AwardRows rows;

  Awards(JdbcClient jdbc, PlacePrizes places, RulePrizes prizes, TierMoves moves, AwardRows rows) {
    this.jdbc = jdbc;
    this.rows = rows;
    this.places = places;
    this.prizes = prizes;
    this.moves = moves;
  }

  /**
   * Writes the awards of a revision that has none yet, and who goes up or down from it.
   *
   * @param board the rules that the revision awards by
   * @param decided how a person decided the ties that the rules leave to one; null while nobody
   *     has, which shares their prizes
   * @throws AwardsTooLarge if an account could not hold them
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void award(Period period, int revision, Board board, @Nullable Ties decided) {
    var revised = new Revised(period, revision, board);
    planned(
        revised,
        ranked -> {
          rows.write(
              revised,
              ranked,
              table ->
                  board
                      .payout()
                      .rules()
                      .forEach(rule -> prizes.award(table, revised, rule, decided, Piece.WHOLE)));
          finish(revised, ranked);
          return true;
        });
  }

  /**
   * Makes the awards that {@link ManyAwards} has written the first revision's, and writes who goes
   * up or down from it.
   *
   * @throws AwardsTooLarge if an account could not hold them
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void join(Period period, Board board) {
    var revised = new Revised(period, Revision.FIRST, board);
    planned(
        revised,
        ranked -> {
          rows.join(revised);
          finish(revised, ranked);
          return true;
        });
  }

  private void finish(Revised revised, long ranked) {
    requireRoom(revised);
    moves.write(revised, ranked);
  }

  /**
   * The planner has no statistics of lines that were written a moment ago: it takes a million for a
   * few, and would look each of them up in all the others, as a plan kept from small boards does.
   */
  private <T> T planned(Revised revised, LongFunction<T> work) {
    long ranked = rows.ranked(revised);
    if (ranked < MANY) {
      return work.apply(ranked);
    }
    plan("off", "force_custom_plan");
    T result = work.apply(ranked);
    plan("on", "auto");
    return result;
  }

  private void plan(String oneByOne, String kept) {
    jdbc.sql(
            """
            select set_config('enable_nestloop', :oneByOne, true),
              set_config('plan_cache_mode', :kept, true)
            """)
        .param("oneByOne", oneByOne)
        .param("kept", kept)
        .query((row, n) -> n)
        .single();
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
    for (String table : List.of("award", "tier_move")) {
      jdbc.sql("delete from %s where period_id = :period and revision = :revision".formatted(table))
          .param("period", period.id().value())
          .param("revision", revision)
          .update();
    }
    award(period, revision, board, decided);
  }

  /** The ties that the rules leave to a person and whose prizes depend on the answer. */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<HeldTie> heldTies(Period period, int revision, Board board) {
    var revised = new Revised(period, revision, board);
    return planned(
        revised,
        ranked ->
            board.payout().rules().stream()
                .flatMap(rule -> places.heldTies(revised, rule).stream())
                .toList());
  }

  /** What percentages in the revision are of. */
  @Transactional(propagation = Propagation.MANDATORY)
  public Map<Denominator, Long> denominators(Period period, int revision, Board board) {
    var revised = new Revised(period, revision, board);
    return planned(revised, ranked -> places.denominators(revised));
  }

  private void requireRoom(Revised revised) {
    jdbc.sql(
            """
            select
              currency,
              string_agg(rule, ', ' order by rule) as rules,
              sum(credits) as credits
            from (
              select currency, rule, sum(credits) as credits
              from award
              where period_id = :period and revision = :revision
              group by currency, rule
            ) by_rule
            group by currency
            having sum(credits) > :most
            """)
        .param("period", revised.period().id().value())
        .param("revision", revised.number())
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

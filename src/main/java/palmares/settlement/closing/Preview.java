package palmares.settlement.closing;

import java.util.List;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.period.WrongState;
import palmares.platform.text.Money;
import palmares.rules.board.Board;
import palmares.settlement.closing.ClosingSentences.ByRule;
import palmares.settlement.lines.OpenStandings;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revision.Verdict;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.settlement.reward.Awards;
import palmares.settlement.reward.HeldTie;

/** Shows what a period would pay, before it does. */
@Component
public class Preview {
  private static final String PREPARED_BY = "preview";

  private final TransactionTemplate transaction;
  private final JdbcClient jdbc;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final OpenStandings openStandings;
  private final Revisions revisions;
  private final Awards awards;
  private final PayoutForecasts forecasts;

  Preview(
      TransactionTemplate transaction,
      JdbcClient jdbc,
      Periods periods,
      BoardDefinitions definitions,
      OpenStandings openStandings,
      Revisions revisions,
      Awards awards,
      PayoutForecasts forecasts) {
    this.transaction = transaction;
    this.jdbc = jdbc;
    this.periods = periods;
    this.definitions = definitions;
    this.openStandings = openStandings;
    this.revisions = revisions;
    this.awards = awards;
    this.forecasts = forecasts;
  }

  /**
   * Says what a period pays.
   *
   * @param estimate whether it is computed from an open period's journal
   * @param members the number of members with a place
   * @param unranked how many of them have no rank
   * @param rules what each rule pays, by the rule's name
   * @param withheld what flagged lines are not paid
   * @param reasons why a person would have to approve it; empty if nobody would, or if it is
   *     decided
   * @param ties the ties that a person would have to decide
   * @param outcome the revision that pays it, with its verdict; of an estimate, one that never does
   * @param isPaused whether the board is paused, so that nothing is paid until it is resumed
   */
  public record PayoutForecast(
      Period period,
      boolean estimate,
      long members,
      long unranked,
      List<ByRule> rules,
      List<Money> withheld,
      List<HoldReason> reasons,
      List<HeldTie> ties,
      Revision outcome,
      boolean isPaused) {
    public PayoutForecast {
      rules = List.copyOf(rules);
      withheld = List.copyOf(withheld);
      reasons = List.copyOf(reasons);
      ties = List.copyOf(ties);
    }
  }

  /**
   * Computes what the period pays; if it is open, what it would pay if it ended now. The estimate
   * runs the closing's own steps on the drained journal. The reader finds its lines and awards in
   * the period's revision, by the tables of its outcome; they are rolled back when the reader
   * returns. It takes no lease: the revision counts as rejected, so that it needs none, and the
   * period does not change. No other period waits for the reader.
   *
   * @throws PeriodBusy if another preview of the open period is being computed
   * @throws WrongState if the period is being closed, or is open and adopted
   */
  public <T> T ask(Period asked, Function<PayoutForecast, T> reader) {
    Period period = periods.get(asked.id());
    Board board = definitions.of(period);
    return switch (period.state()) {
      case OPEN -> estimate(period, board, reader);
      case SEALED -> throw beingClosed(period);
      case FILLED, HELD, REJECTED, APPROVED, SETTLED, EXPIRED ->
          reader.apply(transaction.execute(status -> forecasts.of(period, board, false)));
    };
  }

  private <T> T estimate(Period period, Board board, Function<PayoutForecast, T> reader) {
    board
        .kind()
        .run(
            () -> {},
            adoption -> {
              throw new WrongState(new ClosingSentences.NoJournal(period.label()));
            });
    return transaction.execute(
        status -> {
          status.setRollbackOnly();
          requireAlone(period);
          Period present = periods.get(period.id());
          if (present.state() != PeriodState.OPEN) {
            throw beingClosed(period);
          }
          Tables tables = revisions.tablesFor(events(present)).forTrial();
          int outcome = revisions.begin(present, board, PREPARED_BY, tables);
          revisions.decide(
              present.id(), Revision.FIRST, Verdict.REJECTED, PREPARED_BY, "never posted");
          openStandings.fill(present, Revision.FIRST, outcome, board);
          awards.award(present, Revision.FIRST, board, null);
          revisions.index(outcome);
          revisions.analyze(outcome);
          return reader.apply(forecasts.of(present, board, true));
        });
  }

  /** The number of events in the journal; the members are at most as many. */
  private long events(Period period) {
    return jdbc.sql("select count(*) from event where period_id = :id")
        .param("id", period.id())
        .query(Long.class)
        .single();
  }

  /**
   * Another preview would wait for the end of this one. A closing takes its lease meanwhile, and
   * waits for the end when it seals the period; then there is no other preview.
   */
  private void requireAlone(Period period) {
    boolean isAlone =
        jdbc.sql("select pg_try_advisory_xact_lock(hashtextextended('preview of ' || :id, 0))")
            .param("id", period.id())
            .query(Boolean.class)
            .single();
    if (!isAlone) {
      throw new PeriodBusy(period);
    }
  }

  private static WrongState beingClosed(Period period) {
    return new WrongState(new ClosingSentences.BeingClosed(period.label()));
  }
}

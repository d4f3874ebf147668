package palmares.operations.amendment;

import java.util.List;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.BoardDefinitions;
import palmares.period.LeasedWork;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.rules.board.Board;
import palmares.settlement.lines.OpenStandings;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.settlement.reward.ApprovalCheck;
import palmares.settlement.reward.Awards;

/** What a period would pay, told before it does. */
@Component
public class Preview {
  private final LeasedWork work;
  private final BoardDefinitions definitions;
  private final OpenStandings estimates;
  private final Revisions revisions;
  private final Awards awards;
  private final Told told;

  Preview(
      LeasedWork work,
      BoardDefinitions definitions,
      OpenStandings estimates,
      Revisions revisions,
      Awards awards,
      Told told) {
    this.work = work;
    this.definitions = definitions;
    this.estimates = estimates;
    this.revisions = revisions;
    this.awards = awards;
    this.told = told;
  }

  /**
   * Computes what the period is to pay, or, while it is open, what it would pay if it were over
   * now: by the closing's own steps from what is drained of its journal. That is taken back as soon
   * as the reader returns, which meanwhile finds the lines and awards in the period's revision; the
   * period is locked until then.
   *
   * @throws palmares.period.PeriodBusy if somebody else works on the period
   * @throws AmendmentRefused if that cannot be told: while it is being closed, or on an adopted
   *     board that is open
   */
  public <T> T ask(Period period, Function<PayoutForecast, T> reader) {
    Board board = definitions.of(period);
    return switch (period.state()) {
      case OPEN -> estimate(period, board, reader);
      case SEALED ->
          throw new AmendmentRefused(
              "%s is being closed: ask again in a moment".formatted(period.label()));
      case FILLED, HELD, REJECTED, APPROVED, SETTLED, EXPIRED ->
          reader.apply(told.of(period, board, false));
    };
  }

  private <T> T estimate(Period period, Board board, Function<PayoutForecast, T> reader) {
    if (board.adoption() != null) {
      throw new AmendmentRefused(
          "%s is written by a program of yours, and Palmares reads it when it is over: there is no"
                  .formatted(period.label())
              + " journal to tell by");
    }
    return work.dryRun(
        period.id(),
        (lease, present) -> {
          if (present.state() != PeriodState.OPEN) {
            throw new AmendmentRefused(
                "%s is being closed: ask again in a moment".formatted(period.label()));
          }
          int outcome = revisions.begin(present, board, "preview", null, Tables.SHARED);
          estimates.fill(present, Revision.FIRST, outcome, board);
          awards.award(present, Revision.FIRST, board, null);
          return reader.apply(told.of(present, board, true));
        });
  }

  /** Reads what is awarded. */
  @Component
  static class Told {
    private final JdbcClient jdbc;
    private final Revisions revisions;
    private final Awards awards;
    private final ApprovalCheck approvalCheck;

    Told(JdbcClient jdbc, Revisions revisions, Awards awards, ApprovalCheck approvalCheck) {
      this.jdbc = jdbc;
      this.revisions = revisions;
      this.awards = awards;
      this.approvalCheck = approvalCheck;
    }

    @Transactional
    public PayoutForecast of(Period period, Board board, boolean estimate) {
      boolean paid = period.state().isSettled();
      int revision = period.revision();
      int outcome = revisions.outcome(period.id(), revision);
      return new PayoutForecast(
          period,
          estimate,
          jdbc.sql(
                  """
                  select count(*) from line where outcome = :outcome and place is not null
                  """)
              .param("outcome", outcome)
              .query(Long.class)
              .single(),
          jdbc.sql(
                  """
                  select rule, currency, count(*) as members, sum(credits) as amount
                  from (
                    select member, rule, currency, sum(credits) as credits
                    from award_changes(:parts)
                    group by member, rule, currency
                    having sum(credits) <> 0
                  ) award
                  group by rule, currency
                  order by rule, currency
                  """)
              .param("parts", revisions.parts(outcome))
              .query(PayoutForecast.ByRule.class)
              .list(),
          paid ? List.of() : approvalCheck.reasons(period, revision, board),
          paid ? List.of() : awards.heldTies(period, revision, board));
    }
  }
}

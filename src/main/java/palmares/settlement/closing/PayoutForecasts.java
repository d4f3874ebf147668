package palmares.settlement.closing;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.BoardPauses;
import palmares.period.Period;
import palmares.platform.text.Money;
import palmares.rules.board.Board;
import palmares.settlement.closing.ClosingSentences.ByRule;
import palmares.settlement.closing.Preview.PayoutForecast;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.ApprovalCheck;
import palmares.settlement.reward.Awards;

/** Reads what the present outcome of a period pays. */
@Component
class PayoutForecasts {
  private final JdbcClient jdbc;
  private final Revisions revisions;
  private final Awards awards;
  private final ApprovalCheck approvalCheck;
  private final BoardPauses pauses;

  PayoutForecasts(
      JdbcClient jdbc,
      Revisions revisions,
      Awards awards,
      ApprovalCheck approvalCheck,
      BoardPauses pauses) {
    this.jdbc = jdbc;
    this.revisions = revisions;
    this.awards = awards;
    this.approvalCheck = approvalCheck;
    this.pauses = pauses;
  }

  /** How many members have a place, and how many of these have no rank. */
  private record Placed(long members, long unranked) {}

  /** What may be paid once a person decides so: not what was refused. */
  private List<Money> withheld(int outcome) {
    return jdbc.sql(
            """
            select currency, sum(amount) as amount
            from withheld_award
            join prize using (outcome, rule)
            join revision on revision.id = withheld_award.outcome
            left join line_decision using (period_id, member)
            where outcome = :outcome and decision is distinct from 'refuse'
            group by currency
            order by currency
            """)
        .param("outcome", outcome)
        .query(Money.class)
        .list();
  }

  /**
   * @param estimate whether the outcome was computed from an open period's journal
   */
  PayoutForecast of(Period period, Board board, boolean estimate) {
    boolean undecided =
        switch (period.state()) {
          case OPEN, SEALED, FILLED, HELD -> true;
          case REJECTED, APPROVED, SETTLED, EXPIRED -> false;
        };
    int revision = period.revision();
    int outcome = revisions.outcome(period.id(), revision);
    List<Integer> parts = revisions.parts(outcome);
    OutcomeTables tables = OutcomeTables.of(outcome, parts);
    Placed placed =
        jdbc.sql(
                tables.in(
                    """
                    select count(*) as members, count(*) filter (where rank is null) as unranked
                    from {lines}
                    where outcome = :outcome and place is not null
                    """))
            .param("outcome", outcome)
            .query(Placed.class)
            .single();
    return new PayoutForecast(
        period,
        estimate,
        placed.members(),
        placed.unranked(),
        jdbc.sql(
                tables.in(
                    """
                    select rule, currency, count(*) as members, sum(credits) as amount
                    from (
                      select member, rule, currency, sum(credits) as credits
                      from {award_changes} change
                      group by member, rule, currency
                      having sum(credits) <> 0
                    ) award
                    group by rule, currency
                    order by rule, currency
                    """))
            .param("parts", parts)
            .query(ByRule.class)
            .list(),
        withheld(outcome),
        undecided ? approvalCheck.forecast(period, revision, board) : List.of(),
        undecided ? awards.heldTies(period, revision, board) : List.of(),
        revisions.find(period.id(), revision).orElseThrow(),
        !period.state().isSettled() && pauses.find(period.board()).isPresent());
  }
}

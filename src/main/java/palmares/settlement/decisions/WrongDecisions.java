package palmares.settlement.decisions;

import java.time.Clock;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.rules.board.Board;

/**
 * Quarantines the events of a sealed period on which the rules decide otherwise than the live board
 * did, so that a person takes what was decided or discards them.
 */
@Component
public class WrongDecisions {
  private static final int MAX_QUARANTINED_EVENTS = 1_000;

  private static final String QUARANTINE =
      """
      with wrong as materialized (
      %s
      )
      insert into journal_quarantine (period_id, seq, entry, error, by_rules, quarantined_at)
      select
        period_id,
        seq,
        journal_entry(event),
        said(
          'rule-decision.otherwise', jsonb_build_object('stored', stored, 'derived', derived)),
        derived,
        :now
      from wrong
      join event using (period_id, seq)
      order by seq
      limit :most
      on conflict do nothing
      """
          .formatted(DecisionSql.WRONG);

  private final JdbcClient jdbc;
  private final Clock clock;

  WrongDecisions(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** Quarantines the first of them in place of those that an earlier attempt has quarantined. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void quarantine(Period period, Board board) {
    withdraw(period);
    jdbc.sql(QUARANTINE)
        .params(DecisionSql.parameters(period, board))
        .param("most", MAX_QUARANTINED_EVENTS)
        .param("now", clock.instant())
        .update();
  }

  /** Withdraws what nobody has resolved, since somebody has restored the events. */
  public void withdraw(Period period) {
    jdbc.sql(
            """
            delete from journal_quarantine
            where period_id = :period and resolution is null and by_rules is not null
            """)
        .param("period", period.id())
        .update();
  }
}

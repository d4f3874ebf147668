package palmares.settlement.lines;

import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.rules.adoption.Encoding;
import palmares.rules.board.Board;

/** What an adopted board's encoding has lost: whose order is not known among equal points. */
@Component
class OrderLosses {
  private final JdbcClient jdbc;

  OrderLosses(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Keeps the groups of lines that have been proved. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void record(Period period, int outcome, Board board) {
    Encoding encoding = Objects.requireNonNull(board.adoption()).encoding();
    jdbc.sql(
            """
            insert into loss (period_id, kind, points, reached_at, members)
            select
              :period,
              case
                when not :tellsTime then 'no-time'
                when points > :exactPoints then 'coarse-time'
                else 'equal-time'
              end,
              points,
              reached_at,
              count(*)
            from line
            where outcome = :outcome
            group by points, reached_at
            having count(*) > 1
            """)
        .param("period", period.id().value())
        .param("outcome", outcome)
        .param("tellsTime", encoding.tellsTime())
        .param("exactPoints", encoding.exactPoints())
        .update();
  }
}

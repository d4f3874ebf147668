package palmares.standing;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.bulk.Piece;
import palmares.period.Period;

/** What a snapshot would hold if the period were over now, by its journal. */
@Component
public class Estimates {
  private final JdbcClient jdbc;

  Estimates(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Fills the snapshot of a period that has none, in a transaction that the caller takes back.
   *
   * @return how many members it has
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public long fill(Period period, Board board) {
    return jdbc.sql(
            """
            insert into snapshot (period_id, member, points, then_by, arrival, reached_at)
            select :period, member, points, then_by, arrival, reached_at
            from (
            %s) as derived
            """
                .formatted(Derivation.sql(board.scale(), Piece.WHOLE)))
        .param("period", period.id().value())
        .param("tick", board.scale().resolution().micros() + " microseconds")
        .update();
  }
}

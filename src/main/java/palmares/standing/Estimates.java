package palmares.standing;

import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.exclusion.Exclusions;
import palmares.exclusion.Exclusions.InForce;
import palmares.period.Period;

/** Ranks what an open period would end in if it were over now, by its journal. */
@Component
public class Estimates {
  private final JdbcClient jdbc;
  private final Exclusions exclusions;
  private final Ranking ranking;

  Estimates(JdbcClient jdbc, Exclusions exclusions, Ranking ranking) {
    this.jdbc = jdbc;
    this.exclusions = exclusions;
    this.ranking = ranking;
  }

  /** Writes the lines of an outcome, in a transaction that the caller rolls back. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void fill(Period period, int revision, int outcome, Board board) {
    String derived = "(\n" + Derivation.sql(board.scale()) + ")";
    Map<String, Object> parameters =
        Map.of("tick", board.scale().resolution().micros() + " microseconds");
    InForce excluded = exclusions.inForce(period);
    exclusions.freeze(
        period,
        revision,
        excluded,
        jdbc.sql("select member from %s derived where member = any(:members)".formatted(derived))
            .params(parameters)
            .param("period", period.id().value())
            .param("members", excluded.levels().keySet().toArray(String[]::new))
            .query(String.class)
            .list());
    ranking.rank(period, revision, outcome, board, new Ranking.Source(derived, parameters));
  }
}

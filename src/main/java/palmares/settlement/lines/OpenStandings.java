package palmares.settlement.lines;

import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.period.exclusion.FrozenExclusions;
import palmares.period.exclusion.FrozenExclusions.InForce;
import palmares.rules.board.Board;

/** Ranks an open period by its journal, as if it ended now. */
@Component
public class OpenStandings {
  private final JdbcClient jdbc;
  private final FrozenExclusions exclusions;
  private final Ranking ranking;

  OpenStandings(JdbcClient jdbc, FrozenExclusions exclusions, Ranking ranking) {
    this.jdbc = jdbc;
    this.exclusions = exclusions;
    this.ranking = ranking;
  }

  /** Writes the lines of an outcome, in a transaction that the caller rolls back. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void fill(Period period, int revision, int outcome, Board board) {
    String derived = "(\n" + JournalFold.sql(board.scale()) + ")";
    Map<String, Object> parameters = Map.of("tick", board.scale().resolution().micros());
    InForce excluded = exclusions.inForce(period);
    exclusions.freeze(
        period,
        revision,
        excluded,
        jdbc.sql("select member from %s derived where member = any(:members)".formatted(derived))
            .params(parameters)
            .param("period", period.id())
            .param("members", excluded.levels().keySet())
            .query(String.class)
            .list());
    ranking.rank(period, revision, outcome, board, new Ranking.Source(derived, parameters));
  }
}

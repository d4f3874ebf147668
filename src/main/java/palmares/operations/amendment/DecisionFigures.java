package palmares.operations.amendment;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.report.PendingDecisions;
import palmares.operations.report.PendingDecisions.Award;
import palmares.operations.report.PendingDecisions.Total;
import palmares.period.Period;
import palmares.platform.threads.RecentlyUsed;
import palmares.settlement.outcome.Revision;

/**
 * Reads what a person who decides on an outcome is shown of its lines and payments. Of a million
 * members this takes seconds, so it is kept until an outcome of the period has other rows.
 */
@Component
public class DecisionFigures {
  /** Each has a few hundred rows. */
  private static final int MAX_KEPT = 200;

  private final JdbcClient jdbc;
  private final PendingDecisions decisions;
  private final Comparison comparison;

  private final Map<Rows, Figures> kept = RecentlyUsed.map(MAX_KEPT);

  DecisionFigures(JdbcClient jdbc, PendingDecisions decisions, Comparison comparison) {
    this.jdbc = jdbc;
    this.decisions = decisions;
    this.comparison = comparison;
  }

  /**
   * What a person is shown of an outcome.
   *
   * @param totals what is signed, by currency
   * @param costs what the outcome takes of each budget of its board, by currency
   * @param awards the largest awards of a closing; empty for an amendment
   * @param changes the largest changes of an amendment; null for a closing
   */
  public record Figures(
      List<Total> totals,
      Map<String, BigDecimal> costs,
      List<Award> awards,
      @Nullable RevisionDifferences changes) {
    public Figures {
      totals = List.copyOf(totals);
      costs = Map.copyOf(costs);
      awards = List.copyOf(awards);
    }
  }

  /**
   * What the figures of an outcome are computed from.
   *
   * @param stored the rows of the outcomes of its period, by their numbers and checksums
   */
  private record Rows(int outcome, int most, String stored) {}

  /**
   * Returns what an outcome is shown with.
   *
   * @param most how many awards or changes to name at most
   */
  public Figures of(Period period, Revision revision, int most) {
    Rows rows = rows(revision, most);
    Figures known = kept.get(rows);
    if (known != null) {
      return known;
    }
    Integer base = revision.base();
    var figures =
        new Figures(
            decisions.totals(revision),
            decisions.costs(period, revision),
            base == null ? decisions.largestAwards(revision, most) : List.of(),
            base == null ? null : comparison.of(period.id(), base, revision.number(), most));
    // A statement sees what was committed before it, so the figures may be those of other rows.
    if (rows.equals(rows(revision, most))) {
      kept.keySet().removeIf(old -> old.outcome() == rows.outcome() && !old.equals(rows));
      kept.put(rows, figures);
    }
    return figures;
  }

  private Rows rows(Revision revision, int most) {
    return new Rows(
        revision.id(),
        most,
        jdbc.sql(
                """
                select string_agg(
                  concat_ws('/', id, lines, line_sum, payments, payment_sum),
                  ' ' order by id)
                from revision
                where period_id = :period
                """)
            .param("period", revision.period())
            .query(String.class)
            .single());
  }
}

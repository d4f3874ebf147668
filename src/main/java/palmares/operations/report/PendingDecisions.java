package palmares.operations.report;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.PeriodId;
import palmares.platform.time.SqlTime;
import palmares.settlement.outcome.Approvers;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Reads what people have to decide about one period, and what they have decided to hold. */
@Component
public class PendingDecisions {
  private final JdbcClient jdbc;
  private final Revisions revisions;
  private final Approvers approvers;

  PendingDecisions(JdbcClient jdbc, Revisions revisions, Approvers approvers) {
    this.jdbc = jdbc;
    this.revisions = revisions;
    this.approvers = approvers;
  }

  /** Who keeps a closing from paying without approval, since when and why. */
  public record Hold(String by, Instant at, String reason) {}

  /**
   * Says what an undecided outcome would move in one currency.
   *
   * @param gets what members would get
   * @param owes what members would give back
   */
  public record Sum(String currency, BigDecimal gets, BigDecimal owes) {}

  /** Finds the person's hold of a period; a row of it stays after the approval. */
  public Optional<Hold> hold(PeriodId period) {
    return jdbc.sql("select made_by, made_at, reason from person_hold where period_id = :period")
        .param("period", period.value())
        .query(
            (row, n) ->
                new Hold(
                    row.getString("made_by"),
                    SqlTime.instant(row, "made_at"),
                    row.getString("reason")))
        .optional();
  }

  /** Finds the outcome of a period on which a person must decide. */
  public Optional<Revision> undecided(PeriodId period) {
    return revisions.awaitingDecision(List.of(period)).stream()
        .max(Comparator.comparing(Revision::number));
  }

  /** Adds up what an outcome would move, by currency. */
  public List<Sum> sums(Revision revision) {
    return jdbc.sql(
            """
            select currency,
              coalesce(sum(credits) filter (where credits > 0), 0) as gets,
              coalesce(-sum(credits) filter (where credits < 0), 0) as owes
            from award_changes(:outcomes)
            group by currency
            order by currency
            """)
        .param("outcomes", new Integer[] {revision.id()})
        .query(Sum.class)
        .list();
  }

  /** Returns those of some periods whose undecided outcome this person may not approve. */
  @Transactional(readOnly = true)
  public Map<PeriodId, String> refusals(Collection<PeriodId> periods, String by) {
    return revisions.awaitingDecision(periods).stream()
        .filter(Revision::twoPerson)
        .flatMap(
            revision ->
                approvers.refusal(revision, by).stream()
                    .map(why -> Map.entry(revision.period(), why)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> other));
  }

  /** Finds why a person may not be the one who approves an outcome; empty if the person may. */
  @Transactional(readOnly = true)
  public Optional<String> refusal(Revision revision, String by) {
    return approvers.refusal(revision, by);
  }
}

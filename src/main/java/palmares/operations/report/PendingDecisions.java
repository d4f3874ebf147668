package palmares.operations.report;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.platform.sql.RecordMapper;
import palmares.platform.text.Sentence;
import palmares.settlement.outcome.Approvers;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.ApprovalCheck;
import palmares.settlement.reward.Awards;
import palmares.settlement.reward.BudgetCheck;
import palmares.settlement.reward.BudgetCheck.BudgetUse;
import palmares.settlement.reward.HeldTie;

/** Reads what people have to decide about one period, and what they have decided to hold. */
@Component
public class PendingDecisions {
  private final JdbcClient jdbc;
  private final OutcomeSums outcomeSums;
  private final Revisions revisions;
  private final Approvers approvers;
  private final Awards awards;
  private final ApprovalCheck approvalCheck;
  private final BudgetCheck budgetCheck;
  private final BoardDefinitions definitions;

  PendingDecisions(
      JdbcClient jdbc,
      OutcomeSums outcomeSums,
      Revisions revisions,
      Approvers approvers,
      Awards awards,
      ApprovalCheck approvalCheck,
      BudgetCheck budgetCheck,
      BoardDefinitions definitions) {
    this.jdbc = jdbc;
    this.outcomeSums = outcomeSums;
    this.revisions = revisions;
    this.approvers = approvers;
    this.awards = awards;
    this.approvalCheck = approvalCheck;
    this.budgetCheck = budgetCheck;
    this.definitions = definitions;
  }

  /** Who keeps a closing from paying without approval, since when and why. */
  public record Hold(String by, Instant at, String reason) {}

  /**
   * What a person signs in one currency.
   *
   * @param members how many members it is paid to or taken from
   * @param before what members were awarded by the outcome in force; 0 for a closing
   * @param gets what members would get
   * @param owes what members would give back
   */
  public record Total(
      String currency, long members, BigDecimal before, BigDecimal gets, BigDecimal owes) {
    /** What members are awarded with this outcome. */
    public BigDecimal after() {
      return before.add(difference());
    }

    /** What it costs more than the outcome in force. */
    public BigDecimal difference() {
      return gets.subtract(owes);
    }
  }

  /**
   * What a closing awards a member in one currency.
   *
   * @param rank null if the member has no rank
   */
  public record Award(
      String member,
      @Nullable Long rank,
      @Nullable Long points,
      String currency,
      BigDecimal credits) {}

  /** Finds the person's hold of a period; a row of it stays after the approval. */
  public Optional<Hold> hold(PeriodId period) {
    return jdbc.sql(
            """
            select made_by as by, made_at as at, reason from person_hold where period_id = :period
            """)
        .param("period", period)
        .query(Hold.class)
        .optional();
  }

  /** Finds the outcome of a period on which a person must decide. */
  public Optional<Revision> undecided(PeriodId period) {
    return revisions.awaitingDecision(List.of(period)).stream()
        .max(Comparator.comparing(Revision::number));
  }

  /** Adds up what an outcome would move, by currency. */
  public List<Sum> sums(Revision revision) {
    return outcomeSums.of(List.of(revision.id())).getOrDefault(revision.id(), List.of());
  }

  /**
   * Adds up what the undecided outcomes of some periods would move, by currency. Very large ones
   * that nobody has added up yet are left out. What moves nothing has no sums.
   */
  @Transactional(readOnly = true)
  public Map<PeriodId, List<Sum>> sumsByPeriod(Collection<PeriodId> periods) {
    Map<Integer, PeriodId> outcomes =
        jdbc.sql(
                """
                select id, period_id from revision
                where period_id = any(:periods) and verdict is null and payments is not null
                """)
            .param("periods", periods)
            .query(RecordMapper.map(Integer.class, PeriodId.class));
    Map<PeriodId, List<Sum>> sums = new HashMap<>();
    outcomeSums
        .of(outcomes.keySet(), OutcomeSums.MAX_SUMMED_PAYMENTS)
        .forEach(
            (outcome, moved) -> sums.put(Objects.requireNonNull(outcomes.get(outcome)), moved));
    return sums;
  }

  /** What posted outcomes have moved together, by currency. */
  public List<Sum> moved(Collection<Integer> outcomes) {
    return outcomeSums.posted(outcomes);
  }

  /** A kept plan for payments of several outcomes would lock the tables of every outcome. */
  private void planForTheOutcomesNamed() {
    jdbc.sql("set local plan_cache_mode = force_custom_plan").update();
  }

  /** Adds up what a person signs, by currency, with what it replaces. */
  @Transactional(readOnly = true)
  public List<Total> totals(Revision revision) {
    planForTheOutcomesNamed();
    return jdbc.sql(
            """
            select currency,
              count(distinct member) filter (where outcome = :outcome) as members,
              coalesce(sum(credits) filter (where outcome <> :outcome), 0) as before,
              coalesce(sum(credits) filter (where outcome = :outcome and credits > 0), 0) as gets,
              coalesce(-sum(credits) filter (where outcome = :outcome and credits < 0), 0) as owes
            from award_changes(:parts)
            group by currency
            having bool_or(outcome = :outcome)
            order by currency
            """)
        .param("outcome", revision.id())
        .param("parts", revisions.parts(revision.id()))
        .query(Total.class)
        .list();
  }

  /** The largest awards of a closing, the largest first. */
  @Transactional(readOnly = true)
  public List<Award> largestAwards(Revision closing, int most) {
    planForTheOutcomesNamed();
    return jdbc.sql(
            """
            select member, rank, points, currency, credits
            from (
              select member, currency, sum(credits) as credits
              from award_changes(:outcomes)
              group by member, currency
              order by credits desc, member
              limit :most
            ) largest
            left join (
              select member, rank, points from standing where outcome = :outcome
            ) line using (member)
            order by credits desc, rank, member
            """)
        .param("outcomes", List.of(closing.id()))
        .param("outcome", closing.id())
        .param("most", most)
        .query(Award.class)
        .list();
  }

  /**
   * Finds the ties that a person who approves must decide. Those of an amendment are decided when
   * it is prepared.
   */
  @Transactional
  public List<HeldTie> ties(Period period, Revision revision) {
    return revision.base() == null && revision.ties() == null
        ? awards.heldTies(period, revision.number(), definitions.of(period))
        : List.of();
  }

  /** Whether exclusions that touch a line of a closing have changed since it was ranked. */
  public boolean isReranked(Period period, Revision revision) {
    return revision.base() == null && !approvalCheck.reranked(period).isEmpty();
  }

  /** Adds up what an outcome costs in each currency that its board has a budget of. */
  @Transactional(readOnly = true)
  public Map<String, BigDecimal> costs(Period period, Revision revision) {
    return budgetCheck.costs(
        period, revision.number(), definitions.of(period.board(), revision.definitionHash()));
  }

  /**
   * Finds what an outcome takes of the board's budgets.
   *
   * @param costs what it costs, as {@link #costs} says
   */
  @Transactional(readOnly = true)
  public List<BudgetUse> budgets(Period period, Revision revision, Map<String, BigDecimal> costs) {
    return budgetCheck.budgetUses(
        period, definitions.of(period.board(), revision.definitionHash()), costs);
  }

  /** The people who have approved an outcome so far. */
  @Transactional(readOnly = true)
  public List<String> approvers(Revision revision) {
    return approvers.names(revision);
  }

  /** Returns those of some periods whose undecided outcome this person may not approve. */
  @Transactional(readOnly = true)
  public Map<PeriodId, Sentence> refusals(Collection<PeriodId> periods, String by) {
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
  public Optional<Sentence> refusal(Revision revision, String by) {
    return approvers.refusal(revision, by);
  }
}

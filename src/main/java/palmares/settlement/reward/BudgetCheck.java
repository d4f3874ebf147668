package palmares.settlement.reward;

import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.auditlog.AuditDetails;
import palmares.platform.sql.RecordMapper;
import palmares.platform.time.ZoneOffsets;
import palmares.rules.board.Board;
import palmares.rules.payout.Budget;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.PaymentSums;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Adds up what outcomes award and cost, and compares it with the budgets of their boards. */
@Component
public class BudgetCheck {
  private static final int MAX_PERIODS_FOR_MEDIAN = 10;
  private static final String USUAL = SeatSql.read("usual-payouts.sql");

  private static final String COST_OF_OTHER_PERIODS_IN_MONTH =
      SeatSql.read("cost-of-other-periods.sql");

  private final JdbcClient jdbc;
  private final Revisions revisions;
  private final PaymentSums payments;

  BudgetCheck(JdbcClient jdbc, Revisions revisions, PaymentSums payments) {
    this.jdbc = jdbc;
    this.revisions = revisions;
    this.payments = payments;
  }

  /**
   * What a person was shown who approves an outcome.
   *
   * @param reasons why the outcome was held
   * @param together the numbers of outcomes that the person was shown with it, and has approved
   *     since; what these cost is no news
   */
  public record Shown(List<HoldReason> reasons, Set<Integer> together) {
    public Shown {
      reasons = List.copyOf(reasons);
      together = Set.copyOf(together);
    }
  }

  /**
   * Returns the budgets that a revision exceeds, with the figures. An amendment that costs no more
   * than what it amends exceeds none.
   *
   * <p>Call it in the transaction of the verdict. A lock on the board lasts until that ends, so
   * that two verdicts cannot exceed a budget together.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<HoldReason> overBudget(Period period, int revision, Board board) {
    lock(board);
    return found(period, revision, board);
  }

  /**
   * What an outcome takes of a budget.
   *
   * @param amount what the outcome costs, with what it amends
   * @param period the budget of a period; null for no limit
   * @param others what the month's other periods cost; null if the month has no budget
   * @param month the budget of a month; null for no limit
   */
  public record BudgetUse(
      String currency,
      BigDecimal amount,
      @Nullable Long period,
      @Nullable BigDecimal others,
      @Nullable Long month) {
    /** Whether it costs more than the period may. */
    public boolean exceedsPeriod() {
      return exceeds(amount, period);
    }

    /** What the month's periods cost together; null if the month has no budget. */
    public @Nullable BigDecimal monthAmount() {
      return others == null ? null : amount.add(others);
    }

    /** Whether the month's periods cost more together than they may. */
    public boolean exceedsMonth() {
      BigDecimal sum = monthAmount();
      return sum != null && exceeds(sum, month);
    }
  }

  /** Returns what a revision costs in each currency that its board has a budget of. */
  @Transactional(propagation = Propagation.MANDATORY)
  public Map<String, BigDecimal> costs(Period period, int revision, Board board) {
    var costs = new HashMap<String, BigDecimal>();
    if (!board.payout().budgets().isEmpty()) {
      planForTheOutcomesNamed();
    }
    for (String currency : board.payout().budgets().keySet()) {
      costs.put(currency, cost(period.id(), revision, currency));
    }
    return costs;
  }

  /**
   * Returns what an approval of an outcome lets it move and take of budgets, for its audit entry.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public AuditDetails approved(Period period, Revision outcome, Board board) {
    return AuditDetails.NONE
        .with("digest", outcome.digest())
        .with("sums", payments.of(outcome))
        .with("budgets", budgetUses(period, board, costs(period, outcome.number(), board)));
  }

  /**
   * Returns what a revision takes of each budget of its board, exceeded or not.
   *
   * @param costs what it costs, as {@link #costs} says
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<BudgetUse> budgetUses(Period period, Board board, Map<String, BigDecimal> costs) {
    if (board.payout().budgets().isEmpty()) {
      return List.of();
    }
    planForTheOutcomesNamed();
    return board.payout().budgets().entrySet().stream()
        .map(
            budget -> {
              String currency = budget.getKey();
              Long month = budget.getValue().month();
              return new BudgetUse(
                  currency,
                  costs.getOrDefault(currency, BigDecimal.ZERO),
                  budget.getValue().period(),
                  month == null
                      ? null
                      : costOfMonthsOthers(period, board.zone(), currency, Set.of()),
                  month);
            })
        .toList();
  }

  /** As {@link #overBudget}, without the lock. */
  List<HoldReason> found(Period period, int revision, Board board) {
    var reasons = new ArrayList<HoldReason>();
    if (board.payout().budgets().isEmpty()) {
      return reasons;
    }
    planForTheOutcomesNamed();
    board
        .payout()
        .budgets()
        .forEach(
            (currency, budget) -> {
              BigDecimal amount = cost(period.id(), revision, currency);
              boolean costsMore =
                  revision == Revision.FIRST
                      || amount.compareTo(cost(period.id(), period.revision(), currency)) > 0;
              if (costsMore) {
                addOverBudget(reasons, period, board, currency, budget, amount);
              }
            });
    return reasons;
  }

  private void addOverBudget(
      List<HoldReason> reasons,
      Period period,
      Board board,
      String currency,
      Budget budget,
      BigDecimal amount) {
    Long ofPeriod = budget.period();
    if (ofPeriod != null && exceeds(amount, ofPeriod)) {
      reasons.add(new HoldReason.PeriodBudget(amount, currency, ofPeriod));
    }
    Long month = budget.month();
    if (month != null) {
      BigDecimal others = costOfMonthsOthers(period, board.zone(), currency, Set.of());
      if (exceeds(amount.add(others), month)) {
        reasons.add(new HoldReason.MonthBudget(amount, currency, others, month));
      }
    }
  }

  /**
   * Periods of one board may have opened under different rules: those without a budget still cost
   * one. They share the lock, so that they wait only for those with a budget.
   */
  void lock(Board board) {
    String lock =
        board.payout().budgets().isEmpty()
            ? "pg_advisory_xact_lock_shared"
            : "pg_advisory_xact_lock";
    jdbc.sql("select 1 from %s(hashtextextended('budget of ' || :board, 0))".formatted(lock))
        .param("board", board.id())
        .query(Integer.class)
        .single();
  }

  private static boolean exceeds(BigDecimal amount, @Nullable Long budget) {
    return budget != null && amount.compareTo(BigDecimal.valueOf(budget)) > 0;
  }

  /** Returns the budgets that are exceeded by more than a person was shown. */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<HoldReason> overBudgetBeyond(Shown shown, Period period, int revision, Board board) {
    lock(board);
    return beyond(shown, period, board, found(period, revision, board));
  }

  /** Those of the reasons that a person was not shown. */
  List<HoldReason> beyond(Shown shown, Period period, Board board, List<HoldReason> reasons) {
    return reasons.stream()
        .filter(reason -> !shown.reasons().contains(reason))
        .filter(reason -> !wasShown(reason, shown, period, board))
        .toList();
  }

  /** The month's other periods may cost less than the person was shown, but not more. */
  private boolean wasShown(HoldReason reason, Shown shown, Period period, Board board) {
    if (!(reason instanceof HoldReason.MonthBudget month)) {
      return false;
    }
    BigDecimal others =
        costOfMonthsOthers(period, board.zone(), month.currency(), shown.together());
    return shown.reasons().stream()
        .anyMatch(
            seen ->
                seen instanceof HoldReason.MonthBudget former
                    && former.amount().equals(month.amount())
                    && former.currency().equals(month.currency())
                    && former.budget() == month.budget()
                    && former.others().compareTo(others) >= 0);
  }

  /** A kept plan for payments of several outcomes would lock the tables of every outcome. */
  private void planForTheOutcomesNamed() {
    jdbc.sql("set local plan_cache_mode = force_custom_plan").update();
  }

  /** Adds up a revision's awards in each currency. */
  Map<String, BigDecimal> awarded(Period period, int revision) {
    planForTheOutcomesNamed();
    List<Integer> parts = parts(period.id(), revision);
    return jdbc.sql(
            OutcomeTables.of(parts)
                .in(
                    """
                    select currency, sum(credits) as amount
                    from {award_changes} change
                    group by currency
                    """))
        .param("parts", parts)
        .query(RecordMapper.map(String.class, BigDecimal.class));
  }

  private List<Integer> parts(PeriodId period, int revision) {
    return revisions.parts(revisions.outcome(period, revision));
  }

  /**
   * Computes what a revision costs in one currency, or will cost once it is posted: its awards, and
   * what members keep of awards that an amendment has taken away.
   */
  private BigDecimal cost(PeriodId period, int revision, String currency) {
    return cost(parts(period, revision), currency);
  }

  private BigDecimal cost(List<Integer> parts, String currency) {
    return jdbc.sql(
            OutcomeTables.of(parts)
                .in(
                    """
                    select coalesce(sum(
                      case purpose when 1 then amount when 2 then -amount else 0 end), 0)
                    from {payments} payment
                    join prize using (outcome, rule)
                    where payment.outcome = any(:parts) and prize.outcome = any(:parts)
                      and currency = :currency
                    """))
        .param("parts", parts)
        .param("currency", currency)
        .query(BigDecimal.class)
        .single();
  }

  private record Cost(BigDecimal posted, List<Integer> unposted) {}

  /**
   * Adds up the costs of the board's other approved periods that end in the same month. Those of
   * posted outcomes are in their manifests; payments are read of the others only, since all the
   * month's payments are many. As periods do not overlap, the first of them began no earlier than
   * the last one before the month.
   *
   * @param without outcomes whose payments are left out
   */
  private BigDecimal costOfMonthsOthers(
      Period period, ZoneId zone, String currency, Set<Integer> without) {
    Cost cost =
        jdbc.sql(COST_OF_OTHER_PERIODS_IN_MONTH)
            .params(ZoneOffsets.parameters(zone))
            .param("period", period.id())
            .param("currency", currency)
            .param("together", without)
            .query(Cost.class)
            .single();
    return cost.unposted().isEmpty()
        ? cost.posted()
        : cost.posted().add(cost(cost.unposted(), currency));
  }

  /** Computes what the board usually pays, in each currency. */
  List<Usual> usual(Period period, int revision) {
    planForTheOutcomesNamed();
    List<Integer> parts = parts(period.id(), revision);
    return jdbc.sql(OutcomeTables.of(parts).in(USUAL))
        .param("board", period.board())
        .param("parts", parts)
        .param("starts", period.slot().startsAt())
        .param("limit", MAX_PERIODS_FOR_MEDIAN)
        .query(Usual.class)
        .list();
  }

  /**
   * Says what a board usually pays in a currency.
   *
   * @param periods how many periods the median is of
   */
  record Usual(String currency, BigDecimal median, long periods) {}
}

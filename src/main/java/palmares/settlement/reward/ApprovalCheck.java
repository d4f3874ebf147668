package palmares.settlement.reward;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.payout.ApprovalPolicy;
import palmares.rules.payout.ApprovalPolicy.Approval;
import palmares.rules.payout.Budget;
import palmares.settlement.outcome.Revision;

/** Whether what a period would pay needs the eyes of a person first. */
@Component
public class ApprovalCheck {
  /** What is usual is told by so many earlier periods at the most, and by so many at the least. */
  private static final int USUAL_MOST = 10;

  private static final int USUAL_LEAST = 3;

  private final JdbcClient jdbc;
  private final AwardTotals payouts;
  private final Awards awards;
  private final Clock clock;

  ApprovalCheck(JdbcClient jdbc, AwardTotals payouts, Awards awards, Clock clock) {
    this.jdbc = jdbc;
    this.payouts = payouts;
    this.awards = awards;
    this.clock = clock;
  }

  /**
   * Why a person must look at the awards of a revision before they are paid, in sentences; empty if
   * nobody must.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<String> reasons(Period period, int revision, Board board) {
    var reasons = new ArrayList<String>();
    if (board.payout().control().approval() != Approval.NONE) {
      reasons.add(
          board.payout().control().approval() == Approval.TWO_PERSON
              ? "the board asks for the approval of two people"
              : "the board asks for approval");
    }
    reasons.addAll(bounds(period, revision, board));
    awards.heldTies(period, revision, board).forEach(tie -> reasons.add(sentence(tie)));
    return reasons;
  }

  /** Of these, the bounds that the awards pass: budgets, and what is usual. */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<String> bounds(Period period, int revision, Board board) {
    var reasons = new ArrayList<>(overBudget(period, revision, board));
    unusual(reasons, period, revision, board.payout().control());
    return reasons;
  }

  private static String sentence(HeldTie tie) {
    if (tie.size() == 1) {
      return text(
          "the rule '%s' leaves to a person what %s at rank %d gets: by its rank, or the %,d %s of"
              + " its place behind a tie",
          tie.rule(), tie.members().get(0), tie.rank(), tie.pool(), tie.currency());
    }
    return text(
        "%,d members share rank %d, whose %,d %s the rule '%s' leaves to a person",
        tie.size(), tie.rank(), tie.pool(), tie.currency(), tie.rule());
  }

  /**
   * When what waits goes on by itself; null if it waits for a person however long it takes, as it
   * does if a person must decide how a tie is paid, or a budget is passed.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public @Nullable Instant release(Period period, int revision, Board board) {
    LocalTime hour = board.payout().control().releaseAt();
    if (hour == null
        || !awards.heldTies(period, revision, board).isEmpty()
        || !overBudget(period, revision, board).isEmpty()) {
      return null;
    }
    ZonedDateTime now = clock.instant().atZone(board.zone());
    ZonedDateTime today = now.with(hour);
    return (today.isAfter(now) ? today : now.plusDays(1).with(hour)).toInstant();
  }

  /**
   * The budgets that a revision passes, in sentences with the figures. Whoever pays asks in the
   * transaction of the verdict: until it ends, nobody else approves anything of the board, so that
   * two verdicts never pass a budget together. An amendment that costs no more than what it amends
   * passes none.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<String> overBudget(Period period, int revision, Board board) {
    var reasons = new ArrayList<String>();
    if (board.payout().budgets().isEmpty()) {
      return reasons;
    }
    jdbc.sql("select 1 from pg_advisory_xact_lock(hashtextextended('budget of ' || :board, 0))")
        .param("board", board.id().value())
        .query(Integer.class)
        .single();
    board
        .payout()
        .budgets()
        .forEach(
            (currency, budget) -> {
              BigDecimal amount = payouts.cost(period, revision, currency);
              boolean dearer =
                  revision == Revision.FIRST
                      || amount.compareTo(payouts.cost(period, period.revision(), currency)) > 0;
              if (dearer) {
                overBudget(reasons, period, board, currency, budget, amount);
              }
            });
    return reasons;
  }

  private void overBudget(
      List<String> reasons,
      Period period,
      Board board,
      String currency,
      Budget budget,
      BigDecimal amount) {
    if (over(amount, budget.period())) {
      reasons.add(
          text("%,.0f %s are over the period's budget of %,d", amount, currency, budget.period()));
    }
    if (budget.month() != null) {
      BigDecimal others = payouts.othersOfTheMonth(period, board.zone(), currency);
      if (over(amount.add(others), budget.month())) {
        reasons.add(
            text(
                "%,.0f %s and the %,.0f of the month's other periods are over the month's budget of"
                    + " %,d",
                amount, currency, others, budget.month()));
      }
    }
  }

  private static boolean over(BigDecimal amount, @Nullable Long budget) {
    return budget != null && amount.compareTo(BigDecimal.valueOf(budget)) > 0;
  }

  private void unusual(List<String> reasons, Period period, int revision, ApprovalPolicy control) {
    if (control.unusual() == null) {
      return;
    }
    BigDecimal factor = BigDecimal.valueOf(control.unusual());
    for (var usual : payouts.usual(period, revision, USUAL_MOST)) {
      BigDecimal amount = payouts.of(period, revision, usual.currency());
      if (usual.periods() >= USUAL_LEAST && differs(amount, usual.median(), factor)) {
        reasons.add(
            text(
                "%,.0f %s are far from the usual %,.0f, by a factor of %d or more",
                amount, usual.currency(), usual.median(), control.unusual()));
      }
    }
  }

  private static boolean differs(BigDecimal amount, BigDecimal usual, BigDecimal factor) {
    return amount.compareTo(usual) != 0
        && (amount.compareTo(usual.multiply(factor)) >= 0
            || amount.multiply(factor).compareTo(usual) <= 0);
  }

  private static String text(String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}

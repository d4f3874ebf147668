package palmares.console;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;
import palmares.live.journal.Journal;
import palmares.operations.report.BoardTrend;
import palmares.operations.report.PeriodList.Entry;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.WrongState;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.payout.Budget;
import palmares.settlement.closing.ClosingSentences;
import palmares.settlement.closing.ClosingSentences.ByRule;
import palmares.settlement.closing.Preview;
import palmares.settlement.closing.Preview.PayoutForecast;
import palmares.settlement.outcome.HoldReason;

/**
 * Estimates what open periods would pay if they closed now. An estimate takes as long as computing
 * the awards of a closing, so it is kept, and computing takes at most a fiftieth of a period's
 * time, however many people look. Each period is computed by one thread at a time; no period waits
 * for another.
 */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class PayoutEstimates {
  private static final Duration MIN_AGE = Duration.ofSeconds(30);
  private static final int AGE_FACTOR = 50;

  /** Bounds the memory. The oldest is dropped first. */
  private static final int MAX_KEPT = 500;

  /** What is usual is the median of this many periods. */
  private static final int PERIODS_FOR_MEDIAN = 10;

  private static final int MIN_PERIODS_FOR_MEDIAN = 3;

  private final Preview preview;
  private final Journal journal;
  private final BoardDefinitions definitions;
  private final BoardTrend trend;
  private final Clock clock;

  /** The oldest first. Each access synchronizes on it. */
  private final Map<PeriodId, Estimate> kept = new LinkedHashMap<>();

  PayoutEstimates(
      Preview preview,
      Journal journal,
      BoardDefinitions definitions,
      BoardTrend trend,
      Clock clock) {
    this.preview = preview;
    this.journal = journal;
    this.definitions = definitions;
    this.trend = trend;
    this.clock = clock;
  }

  /**
   * An estimate.
   *
   * @param asOf when it was computed
   * @param until when it is computed again, if somebody asks
   * @param members how many members have a place
   * @param unranked how many of them have no rank
   * @param rules what each rule would pay
   * @param reasons why a person would have to approve it; empty if nobody would
   * @param ties how many ties a person would have to decide
   */
  record Estimate(
      Instant asOf,
      Instant until,
      long members,
      long unranked,
      List<Sum> sums,
      List<ByRule> rules,
      List<HoldReason> reasons,
      int ties) {

    /** Whether it is of no use any more, not even while another one is computed. */
    boolean isOutdated(Instant now) {
      return !now.isBefore(until.plus(Duration.between(asOf, until)));
    }
  }

  /**
   * What would be paid in a currency.
   *
   * @param usual the median of the last periods; null if there are too few
   * @param periods how many periods the median is of
   * @param budget of one period; null if the board has none
   */
  record Sum(
      String currency,
      BigDecimal amount,
      @Nullable BigDecimal usual,
      int periods,
      @Nullable Long budget) {

    /** What the amount is compared with: the budget, else what is usual; null for neither. */
    public @Nullable BigDecimal measure() {
      return budget == null ? usual : BigDecimal.valueOf(budget);
    }

    /** The amount in percent of the {@link #measure}; null if there is none to compare with. */
    public @Nullable Long percent() {
      BigDecimal whole = measure();
      return whole == null || whole.signum() == 0
          ? null
          : amount
              .multiply(BigDecimal.valueOf(100))
              .divide(whole, RoundingMode.HALF_UP)
              .longValue();
    }

    public boolean isOverBudget() {
      return budget != null && amount.compareTo(BigDecimal.valueOf(budget)) > 0;
    }
  }

  /** Whether a period is open and pays something, so that there is something to estimate. */
  boolean applies(Period period) {
    return period.state() == PeriodState.OPEN
        && period.closesAt() != null
        && paysForEvents(definitions.of(period));
  }

  /** The same of a period in a list. */
  boolean applies(Entry period) {
    return period.state() == PeriodState.OPEN
        && period.closesAt() != null
        && definitions
            .find(new BoardId(period.board()), new PeriodName(period.period()))
            .filter(PayoutEstimates::paysForEvents)
            .isPresent();
  }

  private static boolean paysForEvents(Board board) {
    return board.kind().countsEvents() && !board.payout().rules().isEmpty();
  }

  /**
   * Estimates what an open period would pay.
   *
   * @throws PeriodBusy if somebody else computes it, for the first time
   * @throws WrongState if the period is not open, or has nothing to estimate
   */
  Estimate of(Period period) {
    if (!applies(period)) {
      drop(period.id());
      throw new WrongState(new ClosingSentences.NotEstimated(period.label()));
    }
    Instant now = clock.instant();
    Estimate last = find(period.id());
    if (last != null && now.isBefore(last.until()) && !now.isBefore(last.asOf())) {
      return last;
    }
    try {
      Estimate computed = compute(period, now);
      keep(period.id(), computed, now);
      return computed;
    } catch (PeriodBusy e) {
      if (last != null) {
        return last;
      }
      throw e;
    }
  }

  private @Nullable Estimate find(PeriodId period) {
    synchronized (kept) {
      return kept.get(period);
    }
  }

  private void drop(PeriodId period) {
    synchronized (kept) {
      kept.remove(period);
    }
  }

  private void keep(PeriodId period, Estimate computed, Instant now) {
    synchronized (kept) {
      kept.remove(period); // It is the newest now.
      kept.values().removeIf(old -> old.isOutdated(now));
      if (kept.size() >= MAX_KEPT) {
        kept.remove(kept.keySet().iterator().next());
      }
      kept.put(period, computed);
    }
  }

  private Estimate compute(Period period, Instant now) {
    long began = System.nanoTime();
    Board board = definitions.of(period);
    journal.drain(period);
    PayoutForecast forecast = preview.ask(period, computed -> computed);
    List<Sum> sums = sums(board, forecast.rules());
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    Duration age = took.multipliedBy(AGE_FACTOR);
    return new Estimate(
        now,
        now.plus(age.compareTo(MIN_AGE) > 0 ? age : MIN_AGE),
        forecast.members(),
        forecast.unranked(),
        sums,
        forecast.rules(),
        forecast.reasons(),
        forecast.ties().size());
  }

  private List<Sum> sums(Board board, List<ByRule> rules) {
    List<BoardTrend.Point> past = trend.last(board.id(), PERIODS_FOR_MEDIAN);
    int periods = (int) past.stream().map(BoardTrend.Point::period).distinct().count();
    Map<String, BigDecimal> amounts =
        rules.stream()
            .collect(
                Collectors.groupingBy(
                    ByRule::currency,
                    LinkedHashMap::new,
                    Collectors.reducing(BigDecimal.ZERO, ByRule::amount, BigDecimal::add)));
    Set<String> currencies = new TreeSet<>(amounts.keySet());
    currencies.addAll(board.payout().budgets().keySet());
    past.stream()
        .filter(point -> point.currency() != null)
        .forEach(point -> currencies.add(String.valueOf(point.currency())));
    return currencies.stream()
        .map(
            currency -> {
              Budget budget = board.payout().budgets().get(currency);
              return new Sum(
                  currency,
                  amounts.getOrDefault(currency, BigDecimal.ZERO),
                  periods < MIN_PERIODS_FOR_MEDIAN ? null : median(past, periods, currency),
                  periods,
                  budget == null ? null : budget.period());
            })
        .toList();
  }

  /** The median in one currency, of which a period without such payments paid 0. */
  private static BigDecimal median(List<BoardTrend.Point> past, int periods, String currency) {
    List<BigDecimal> paid =
        past.stream()
            .filter(point -> currency.equals(point.currency()))
            .map(BoardTrend.Point::paid)
            .sorted()
            .toList();
    int without = periods - paid.size();
    int middle = periods / 2;
    BigDecimal upper = middle < without ? BigDecimal.ZERO : paid.get(middle - without);
    if (periods % 2 == 1) {
      return upper;
    }
    BigDecimal lower = middle - 1 < without ? BigDecimal.ZERO : paid.get(middle - 1 - without);
    return lower.add(upper).divide(BigDecimal.valueOf(2), RoundingMode.HALF_UP);
  }
}

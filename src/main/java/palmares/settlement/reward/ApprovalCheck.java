package palmares.settlement.reward;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.BoardDefinitions;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Population;
import palmares.period.exclusion.ExclusionLists;
import palmares.period.exclusion.ExclusionLists.Reranked;
import palmares.platform.sql.RecordMapper;
import palmares.rules.adoption.Adoption;
import palmares.rules.adoption.KeyPattern;
import palmares.rules.board.Board;
import palmares.rules.calendar.CalendarTiling;
import palmares.rules.payout.ApprovalPolicy;
import palmares.rules.payout.Budget;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Decides whether an outcome needs a person's approval before it is posted. */
@Component
public class ApprovalCheck {
  private static final int MAX_PERIODS_FOR_MEDIAN = 10;
  private static final int MIN_PERIODS_FOR_MEDIAN = 3;

  /** Members of whom a reason says that their exclusions have changed; the others are counted. */
  private static final int MAX_NAMED_EXCLUDED = 20;

  private static final String USUAL = SeatSql.read("usual-payouts.sql");

  private static final String COST_OF_OTHER_PERIODS_IN_MONTH =
      SeatSql.read("cost-of-other-periods.sql");

  private final JdbcClient jdbc;
  private final Revisions revisions;
  private final Awards awards;
  private final LiveBoardMarks marks;
  private final BoardDefinitions definitions;
  private final ExclusionLists exclusions;
  private final Clock clock;

  ApprovalCheck(
      JdbcClient jdbc,
      Revisions revisions,
      Awards awards,
      LiveBoardMarks marks,
      BoardDefinitions definitions,
      ExclusionLists exclusions,
      Clock clock) {
    this.marks = marks;
    this.definitions = definitions;
    this.jdbc = jdbc;
    this.revisions = revisions;
    this.awards = awards;
    this.exclusions = exclusions;
    this.clock = clock;
  }

  /** Returns why a revision needs a person's approval; empty if it needs none. */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<HoldReason> reasons(Period period, int revision, Board board) {
    lockBudgets(board);
    return found(period, revision, board);
  }

  /** As {@link #reasons}, where no verdict follows: keeps no other from spending the budgets. */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<HoldReason> forecast(Period period, int revision, Board board) {
    return found(period, revision, board);
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

  private List<HoldReason> found(Period period, int revision, Board board) {
    var reasons = new ArrayList<HoldReason>();
    reasons.addAll(
        switch (board.payout().approvalPolicy().approval()) {
          case NONE -> List.of();
          case REQUIRED -> List.of(new HoldReason.Approval());
          case TWO_PERSON -> List.of(new HoldReason.TwoPeople());
        });
    reasons.addAll(foundBounds(period, revision, board));
    awards.heldTies(period, revision, board).forEach(tie -> reasons.add(found(tie)));
    if (revision == Revision.FIRST) {
      board
          .kind()
          .<Optional<HoldReason>>map(Optional::empty, adoption -> keys(period, board, adoption))
          .ifPresent(reasons::add);
      cut(period, revision, board).ifPresent(reasons::add);
      personHold(period).ifPresent(reasons::add);
      reasons.addAll(changedExclusions(reranked(period)));
    }
    return reasons;
  }

  /**
   * Finds the members of a closing whose exclusions were made or lifted since it was ranked. Nobody
   * changes an exclusion until the end of the transaction.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<Reranked> lockedReranked(Period period) {
    exclusions.blockChanges();
    return reranked(period);
  }

  /** As {@link #lockedReranked}, but lets others change exclusions meanwhile. */
  public List<Reranked> reranked(Period period) {
    return exclusions.rerankedSince(period.id(), revisions.outcome(period.id(), Revision.FIRST));
  }

  /** The reasons of a closing that such members are. */
  public static List<HoldReason> changedExclusions(List<Reranked> reranked) {
    var reasons = new ArrayList<HoldReason>();
    reranked.stream()
        .limit(MAX_NAMED_EXCLUDED)
        .map(
            one ->
                one.present() != null
                    ? new HoldReason.Excluded(one.member(), one.present().word())
                    : new HoldReason.Lifted(
                        one.member(), Objects.requireNonNull(one.frozen()).word()))
        .forEach(reasons::add);
    if (reranked.size() > MAX_NAMED_EXCLUDED) {
      reasons.add(new HoldReason.OthersExcluded(reranked.size() - MAX_NAMED_EXCLUDED));
    }
    return reasons;
  }

  private Optional<HoldReason> keys(Period period, Board board, Adoption adoption) {
    List<String> keys = adoption.keys(board.calendarSlot(period.slot()), board.zone());
    Population population = period.population();
    if (lacksKeys(period, board)) {
      return Optional.of(new HoldReason.KeyNeverSeen(keys));
    }
    return population != null && marks.wasFoundAfterSeal(period.id())
        ? Optional.of(new HoldReason.KeyFoundLater(keys, population.members()))
        : Optional.empty();
  }

  /**
   * Whether no key of an adopted board was ever seen, in this period or another one under the same
   * names. The names may be wrong then, so that an empty board does not mean that nobody took part.
   */
  public boolean lacksKeys(Period period, Board board) {
    return board
        .kind()
        .map(
            () -> false,
            adoption ->
                marks.observedUnder(period.board()).stream()
                    .noneMatch(
                        hash ->
                            keys(definitions.of(period.board(), hash)).equals(adoption.keys())));
  }

  private static List<KeyPattern> keys(Board board) {
    return board.kind().map(List::of, Adoption::keys);
  }

  /** Says that the period is the rest of one whose end a file has moved, if it pays anything. */
  private Optional<HoldReason> cut(Period period, int revision, Board board) {
    return CalendarTiling.restOf(board.calendar(), period.slot())
        .filter(whole -> paysAnything(period, revision))
        .map(
            whole ->
                new HoldReason.Cut(
                    whole.name().value(),
                    time(whole.startsAt(), board),
                    time(whole.endsAt(), board)));
  }

  private static String time(Instant at, Board board) {
    return at.atZone(board.zone()).toOffsetDateTime().toString();
  }

  private boolean paysAnything(Period period, int revision) {
    planForTheOutcomesNamed();
    return !sums(period, revision).isEmpty();
  }

  /** Returns who keeps the closing from paying without approval, and why; empty if nobody does. */
  private Optional<HoldReason.Person> personHold(Period period) {
    return jdbc.sql("select made_by as by, reason from person_hold where period_id = :id")
        .param("id", period.id())
        .query(HoldReason.Person.class)
        .optional();
  }

  /**
   * Returns the bounds that are exceeded by more than a person was shown: budgets, and unusual
   * amounts.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<HoldReason> boundsBeyond(Shown shown, Period period, int revision, Board board) {
    lockBudgets(board);
    return beyond(shown, period, board, foundBounds(period, revision, board));
  }

  /** Returns the budgets that are exceeded by more than a person was shown. */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<HoldReason> overBudgetBeyond(Shown shown, Period period, int revision, Board board) {
    lockBudgets(board);
    return beyond(shown, period, board, foundOverBudget(period, revision, board));
  }

  private List<HoldReason> beyond(
      Shown shown, Period period, Board board, List<HoldReason> reasons) {
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

  private List<HoldReason> foundBounds(Period period, int revision, Board board) {
    var reasons = new ArrayList<>(foundOverBudget(period, revision, board));
    addUnusual(reasons, period, revision, board.payout().approvalPolicy());
    return reasons;
  }

  private static HoldReason found(HeldTie tie) {
    return tie.size() == 1
        ? new HoldReason.TieBefore(
            tie.rule(), tie.members().get(0), tie.rank(), tie.pool(), tie.currency())
        : new HoldReason.Tie(tie.size(), tie.rank(), tie.pool(), tie.currency(), tie.rule());
  }

  /**
   * Returns when a held revision is released automatically. Returns null if only a person can
   * release it, as with ties that need a decision, a budget that is exceeded, or a person's hold.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public @Nullable Instant release(Period period, int revision, Board board) {
    lockBudgets(board);
    LocalTime hour = board.payout().approvalPolicy().releaseAt();
    if (hour == null
        || personHold(period).isPresent()
        || !found(period, revision, board).stream().allMatch(HoldReason::isReleasedByTime)) {
      return null;
    }
    ZonedDateTime now = clock.instant().atZone(board.zone());
    ZonedDateTime today = now.with(hour);
    return (today.isAfter(now) ? today : now.plusDays(1).with(hour)).toInstant();
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
    lockBudgets(board);
    return foundOverBudget(period, revision, board);
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

  /** Returns what a revision takes of each budget of its board, exceeded or not. */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<BudgetUse> budgetUses(Period period, int revision, Board board) {
    return budgetUses(period, board, costs(period, revision, board));
  }

  /**
   * As {@link #budgetUses(Period, int, Board)}.
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

  private List<HoldReason> foundOverBudget(Period period, int revision, Board board) {
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
  private void lockBudgets(Board board) {
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

  private void addUnusual(
      List<HoldReason> reasons, Period period, int revision, ApprovalPolicy control) {
    if (control.unusual() == null) {
      return;
    }
    planForTheOutcomesNamed();
    BigDecimal factor = BigDecimal.valueOf(control.unusual());
    Map<String, BigDecimal> sums = sums(period, revision);
    for (var usual : usual(period, revision)) {
      BigDecimal amount = sums.getOrDefault(usual.currency(), BigDecimal.ZERO);
      if (usual.periods() >= MIN_PERIODS_FOR_MEDIAN && differs(amount, usual.median(), factor)) {
        reasons.add(
            new HoldReason.Unusual(amount, usual.currency(), usual.median(), control.unusual()));
      }
    }
  }

  private static boolean differs(BigDecimal amount, BigDecimal usual, BigDecimal factor) {
    return amount.compareTo(usual) != 0
        && (amount.compareTo(usual.multiply(factor)) >= 0
            || amount.multiply(factor).compareTo(usual) <= 0);
  }

  /** A kept plan for payments of several outcomes would lock the tables of every outcome. */
  private void planForTheOutcomesNamed() {
    jdbc.sql("set local plan_cache_mode = force_custom_plan").update();
  }

  /** Adds up a revision's awards in each currency. */
  private Map<String, BigDecimal> sums(Period period, int revision) {
    List<Integer> parts = parts(period.id(), revision);
    return jdbc.sql(
            OutcomeTables.of(parts)
                .in(
                    """
                    select currency, sum(credits) as amount
                    from {award_changes} change
                    group by currency
                    having sum(credits) <> 0
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
            .param("zone", zone.getId())
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
  private List<Usual> usual(Period period, int revision) {
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
  private record Usual(String currency, BigDecimal median, long periods) {}
}

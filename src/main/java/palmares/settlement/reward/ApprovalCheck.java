package palmares.settlement.reward;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.BoardDefinitions;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.Population;
import palmares.period.exclusion.ExclusionLists;
import palmares.period.exclusion.ExclusionLists.Reranked;
import palmares.rules.adoption.Adoption;
import palmares.rules.adoption.KeyPattern;
import palmares.rules.board.Board;
import palmares.rules.calendar.CalendarTiling;
import palmares.rules.payout.ApprovalPolicy;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.BudgetCheck.Shown;

/** Decides whether an outcome needs a person's approval before it is posted. */
@Component
public class ApprovalCheck {
  private static final int MIN_PERIODS_FOR_MEDIAN = 3;

  /** Members of whom a reason says that their exclusions have changed; the others are counted. */
  private static final int MAX_NAMED_EXCLUDED = 20;

  private final JdbcClient jdbc;
  private final Revisions revisions;
  private final Awards awards;
  private final LiveBoardMarks marks;
  private final BoardDefinitions definitions;
  private final ExclusionLists exclusions;
  private final Clock clock;
  private final BudgetCheck budgets;

  ApprovalCheck(
      JdbcClient jdbc,
      Revisions revisions,
      Awards awards,
      LiveBoardMarks marks,
      BoardDefinitions definitions,
      ExclusionLists exclusions,
      Clock clock,
      BudgetCheck budgets) {
    this.marks = marks;
    this.definitions = definitions;
    this.jdbc = jdbc;
    this.revisions = revisions;
    this.awards = awards;
    this.exclusions = exclusions;
    this.clock = clock;
    this.budgets = budgets;
  }

  /** Returns why a revision needs a person's approval; empty if it needs none. */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<HoldReason> reasons(Period period, int revision, Board board) {
    budgets.lock(board);
    return found(period, revision, board);
  }

  /** As {@link #reasons}, where no verdict follows: keeps no other from spending the budgets. */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<HoldReason> forecast(Period period, int revision, Board board) {
    return found(period, revision, board);
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

  /**
   * Whether the time of release must not approve a closing: it exceeds a budget by now, or
   * exclusions have changed.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public boolean keepsFromRelease(Period period, Board board) {
    return !budgets.overBudget(period, Revision.FIRST, board).isEmpty()
        || !reranked(period).isEmpty();
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
    return !budgets.awarded(period, revision).isEmpty();
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
    budgets.lock(board);
    return budgets.beyond(shown, period, board, foundBounds(period, revision, board));
  }

  private List<HoldReason> foundBounds(Period period, int revision, Board board) {
    var reasons = new ArrayList<>(budgets.found(period, revision, board));
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
    budgets.lock(board);
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

  private void addUnusual(
      List<HoldReason> reasons, Period period, int revision, ApprovalPolicy control) {
    if (control.unusual() == null) {
      return;
    }
    BigDecimal factor = BigDecimal.valueOf(control.unusual());
    Map<String, BigDecimal> sums = budgets.awarded(period, revision);
    for (var usual : budgets.usual(period, revision)) {
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
}

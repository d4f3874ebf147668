package palmares.api.ops;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.report.PeriodList;
import palmares.operations.report.PeriodList.Version;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.CallSentences;
import palmares.period.BoardDefinitions;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodSentences;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.period.WrongState;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.Slot;

/** Finds the periods that verbs are about, and refuses those that the caller has not seen as is. */
@Component
class PeriodFinder {
  private final Lookup lookup;
  private final Periods periods;
  private final PeriodList list;
  private final DuePeriods duePeriods;
  private final BoardDefinitions definitions;
  private final PeriodTimeline timeline;
  private final TransactionTemplate transaction;
  private final Clock clock;

  PeriodFinder(
      Lookup lookup,
      Periods periods,
      PeriodList list,
      DuePeriods duePeriods,
      BoardDefinitions definitions,
      PeriodTimeline timeline,
      TransactionTemplate transaction,
      Clock clock) {
    this.lookup = lookup;
    this.periods = periods;
    this.list = list;
    this.duePeriods = duePeriods;
    this.definitions = definitions;
    this.timeline = timeline;
    this.transaction = transaction;
    this.clock = clock;
  }

  /** Finds a period in any state. */
  Period find(String board, String period) {
    return lookup.period(board, period);
  }

  /** The rules of a period. */
  Board rules(Period period) {
    return definitions.of(period);
  }

  /** A time in the zone of a period's board. */
  ZonedDateTime in(Period period, Instant at) {
    return at.atZone(rules(period).zone());
  }

  /**
   * Refuses a verb early that {@link #unchanged} will refuse.
   *
   * @throws Refusal if the period has changed since the caller saw it
   */
  void requireUnchanged(Period period, Call call) {
    if (call.isConditional()) {
      requireSeen(period, call, list.tag(list.get(period.id())));
    }
  }

  private void requireSeen(Period period, Call call, String tag) {
    if (!call.hasSeen(tag)) {
      throw stale(periods.get(period.id()), tag);
    }
  }

  private static Refusal stale(Period period, String tag) {
    return new Refusal(
        Problem.STALE_VIEW, new CallSentences.Changed(period.label(), period.state().word(), tag));
  }

  /**
   * A condition for a transaction that acts on a period: it locks the period, and throws if the
   * period has changed since the caller saw it.
   */
  Runnable unchanged(Period period, Call call) {
    return () -> {
      if (call.isConditional()) {
        requireSeen(period, call, list.lockedTag(period.id()));
      }
    };
  }

  /**
   * A condition for a transaction that acts on a period: it locks the period, and throws if it is
   * not in this version.
   */
  Runnable unchanged(Version version) {
    return () -> {
      String tag = list.lockedTag(version.id());
      if (!tag.equals(version.tag())) {
        throw stale(periods.get(version.id()), tag);
      }
    };
  }

  /** Acts on a period in one transaction with the check that the caller has seen it as it is. */
  <T> T ifUnchanged(Period period, Call call, Supplier<T> act) {
    if (!call.isConditional()) {
      return act.get();
    }
    return transaction.execute(
        status -> {
          unchanged(period, call).run();
          return act.get();
        });
  }

  /** Whether the period has a row, so that {@link #findDue} creates none. */
  boolean hasRow(String board, String period) {
    BoardId id = lookup.board(board);
    return PeriodName.parse(period).flatMap(name -> periods.find(id, name)).isPresent();
  }

  /**
   * Finds a period that is due, held, rejected or settled already.
   *
   * @throws Refusal if there is none, or it is not due
   */
  Period findDue(String boardWord, String periodWord) {
    BoardId board = lookup.board(boardWord);
    Period period =
        PeriodName.parse(periodWord)
            .flatMap(name -> periods.find(board, name).or(() -> create(board, name)))
            .orElseThrow(() -> lookup.unknownPeriod(board, periodWord));
    if (!period.state().isSettled() && !period.state().needsPerson()) {
      requireDue(period);
    }
    return period;
  }

  private void requireDue(Period period) {
    Instant due = period.closesAt();
    if (due == null) {
      throw new WrongState(new PeriodSentences.NeverCloses(period.label()));
    }
    if (clock.instant().isBefore(due)) {
      ZoneId zone = rules(period).zone();
      throw notOver(period.label(), period.slot().endsAt(), due, zone);
    }
    duePeriods.requireNotPaused(period);
    if (!duePeriods.dueWithStoppedImports().contains(period.id())) {
      throw new Refusal(Problem.PERIOD_BUSY, new PeriodSentences.BeingImported(period.label()));
    }
  }

  /**
   * Refuses to create the live board of a period that has not begun: its rules may change still.
   *
   * @throws Refusal if it has not begun
   */
  void requireBegun(Period period) {
    Instant starts = period.slot().startsAt();
    if (clock.instant().isBefore(starts)) {
      throw new WrongState(new PeriodSentences.NotBegun(period.label(), in(period, starts)));
    }
  }

  /** Creates the row of a period without events, if it ended after the board's first period. */
  private Optional<Period> create(BoardId id, PeriodName name) {
    Optional<Board> known = lookup.inForce(id);
    Optional<Slot> slot = known.flatMap(board -> board.calendar().named(name));
    if (known.isEmpty() || slot.isEmpty()) {
      return Optional.empty();
    }
    Board board = known.get();
    String label = id + " " + name;
    if (!board.calendar().closes()) {
      throw new WrongState(new PeriodSentences.NeverCloses(label));
    }
    Instant ends = slot.get().endsAt();
    if (clock.instant().isBefore(ends)) {
      throw notOver(label, ends, ends.plus(board.grace()), board.zone());
    }
    timeline.prepare(board);
    return Optional.of(
        periods.find(id, name).orElseThrow(() -> new WrongState(neverOpened(board, label))));
  }

  private static Sentence neverOpened(Board board, String label) {
    return board
        .kind()
        .map(
            () -> new PeriodSentences.NeverOpened(label),
            adoption -> new PeriodSentences.EndedBefore(label));
  }

  private static WrongState notOver(String label, Instant ends, Instant due, ZoneId zone) {
    return new WrongState(new PeriodSentences.NotOver(label, ends.atZone(zone), due.atZone(zone)));
  }
}

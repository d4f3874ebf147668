package palmares.intake;

import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.board.Board;
import palmares.calendar.Slot;
import palmares.live.LiveBoards;
import palmares.live.LiveKeys;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Periods;

/** Finds the period that an event belongs to, and opens it and its live board where needed. */
@Component
class Openings {
  /** So many periods are kept in mind; past that, all are forgotten and found again. */
  private static final int MOST_KNOWN = 10_000;

  private final Periods periods;
  private final Definitions definitions;
  private final LiveBoards live;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Map<LiveKeys, Opening> known = new ConcurrentHashMap<>();

  Openings(
      Periods periods,
      Definitions definitions,
      LiveBoards live,
      TransactionTemplate transaction,
      Clock clock) {
    this.periods = periods;
    this.definitions = definitions;
    this.live = live;
    this.transaction = transaction;
    this.clock = clock;
  }

  /** A period, and the rules that it was opened under, whatever the board's file says by now. */
  record Opening(Period period, Board rules) {}

  /**
   * The period of that slot; empty if it was never opened and its grace is over, unless a history
   * brings it.
   */
  Optional<Opening> find(Board board, Slot slot, Origin origin) {
    var key = new LiveKeys(board.id(), slot.name());
    Opening opening = known.get(key);
    if (opening != null) {
      return Optional.of(opening);
    }
    Optional<Opening> found =
        Objects.requireNonNull(transaction.execute(status -> open(board, slot, origin)));
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    found.ifPresent(fresh -> known.put(key, fresh));
    return found;
  }

  private Optional<Opening> open(Board board, Slot slot, Origin origin) {
    return load(board, slot, origin)
        .map(
            period -> {
              var opening = new Opening(period, definitions.of(period));
              if (period.state() == PeriodState.OPEN) {
                makeLive(opening);
              }
              return opening;
            });
  }

  private Optional<Period> load(Board board, Slot slot, Origin origin) {
    if (origin instanceof Origin.History history) {
      return Optional.of(periods.openFor(history.run(), board, slot));
    }
    Optional<Period> period = periods.find(board.id(), slot.name());
    boolean over = !clock.instant().isBefore(slot.endsAt().plus(board.grace()));
    return period.isPresent() || over ? period : Optional.of(periods.open(board, slot));
  }

  /**
   * Makes the live board of an open period. The period's row is locked meanwhile, so that the
   * period cannot be sealed between our look at it and the board's making.
   *
   * @return whether the period is open, and so has its live board now
   * @throws LiveBoardGone if it had one that Redis has lost
   */
  boolean makeLive(Opening opening) {
    Period period = opening.period();
    return Boolean.TRUE.equals(
        transaction.execute(
            status -> {
              Periods.LiveMark mark = periods.lock(period.id());
              if (mark.state() != PeriodState.OPEN) {
                return false;
              }
              if (mark.live() && !live.exists(period)) {
                throw new LiveBoardGone(period);
              }
              live.open(period, opening.rules());
              periods.markLive(period.id());
              return true;
            }));
  }
}

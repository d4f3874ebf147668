package palmares.live.intake;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveBoardCreation;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.Durability;
import palmares.rules.calendar.Slot;

/** Finds the period that an event belongs to, and opens it and its live board where needed. */
@Component
class PeriodOpening {
  /** So many periods of a board are kept in mind; past that, all are forgotten and found again. */
  private static final int MOST_KNOWN = 10_000;

  private static final Duration REST = Duration.ofSeconds(5);

  private final Periods periods;
  private final PeriodTimeline timeline;
  private final BoardDefinitions definitions;
  private final LiveBoardCreation starts;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Map<BoardId, NavigableMap<Instant, Opening>> known = new ConcurrentHashMap<>();

  /** Periods without one right before them. */
  private final Set<PeriodId> firsts = ConcurrentHashMap.newKeySet();

  /** Until then nobody waits for a PostgreSQL that did not answer. */
  private volatile Instant askAgainAt = Instant.MIN;

  PeriodOpening(
      Periods periods,
      PeriodTimeline timeline,
      BoardDefinitions definitions,
      LiveBoardCreation starts,
      TransactionTemplate transaction,
      Clock clock) {
    this.periods = periods;
    this.timeline = timeline;
    this.definitions = definitions;
    this.starts = starts;
    this.transaction = transaction;
    this.clock = clock;
  }

  /** A period, and the rules that it was opened under, whatever the board's file says by now. */
  record Opening(Period period, Board rules) {}

  /**
   * The period that the time lies in: one that is open already, under whatever calendar, or else
   * the calendar's; empty if the calendar's was never opened and its grace is over, unless a
   * history brings it.
   *
   * @throws Refusal if the board has no period at that time
   * @throws RedisUnavailable if the period's live board cannot be made now
   */
  Optional<Opening> find(Board board, Instant time, EventOrigin origin) {
    var ofBoard = known.computeIfAbsent(board.id(), id -> new ConcurrentSkipListMap<>());
    Map.Entry<Instant, Opening> before = ofBoard.floorEntry(time);
    if (before != null && before.getValue().period().slot().contains(time)) {
      return Optional.of(before.getValue());
    }
    Optional<Opening> found =
        Objects.requireNonNull(transaction.execute(status -> open(board, time, origin)));
    if (ofBoard.size() >= MOST_KNOWN) {
      ofBoard.clear();
    }
    found.ifPresent(
        fresh -> {
          startEarly(fresh, origin);
          ofBoard.put(fresh.period().slot().startsAt(), fresh);
        });
    return found;
  }

  /**
   * The period that ended when this one began, if it was opened; it is not opened for this. Where
   * PostgreSQL does not answer, it is as if there were none: events go on.
   */
  Optional<Opening> before(Opening opening) {
    Period period = opening.period();
    if (firsts.contains(period.id()) || clock.instant().isBefore(askAgainAt)) {
      return Optional.empty();
    }
    Instant lastMoment = period.slot().startsAt().minusNanos(1_000);
    var ofBoard = known.computeIfAbsent(period.board(), id -> new ConcurrentSkipListMap<>());
    Map.Entry<Instant, Opening> near = ofBoard.floorEntry(lastMoment);
    if (near != null && near.getValue().period().slot().contains(lastMoment)) {
      return Optional.of(near.getValue());
    }
    try {
      Optional<Opening> found =
          periods
              .at(period.board(), lastMoment)
              .map(before -> new Opening(before, definitions.of(before)));
      found.ifPresentOrElse(
          before -> ofBoard.put(before.period().slot().startsAt(), before),
          () -> firsts.add(period.id()));
      return found;
    } catch (DataAccessException away) {
      askAgainAt = clock.instant().plus(REST);
      return Optional.empty();
    }
  }

  /**
   * Makes the live board of a fast board, so that the events of a batch need not find out one by
   * one. An event of ours is committed and relayed like those of a committed board, without Redis.
   *
   * @throws RedisUnavailable if Redis does not answer: the board may be there or not
   */
  private void startEarly(Opening opening, EventOrigin origin) {
    boolean relayed =
        origin instanceof EventOrigin.Ours || opening.rules().durability() == Durability.COMMITTED;
    if (opening.period().state() == PeriodState.OPEN && !relayed) {
      makeLive(opening);
    }
  }

  private Optional<Opening> open(Board board, Instant time, EventOrigin origin) {
    return periods
        .at(board.id(), time)
        .map(period -> Optional.of(claim(period, origin)))
        .orElseGet(() -> openNew(board, time, origin))
        .map(
            period -> {
              Board rules = definitions.of(period);
              requireOurs(rules);
              return new Opening(period, rules);
            });
  }

  private static void requireOurs(Board rules) {
    if (rules.adoption() != null) {
      throw new Refusal(
          RefusalReason.ADOPTED,
          "the board '%s' is adopted: your own program writes it into Redis, under %s; send its"
                  .formatted(rules.id(), rules.adoption().keys().get(0).text())
              + " events there");
    }
  }

  /** A period that an import opened, and that did not end, is this import's from now on. */
  private Period claim(Period period, EventOrigin origin) {
    if (origin instanceof EventOrigin.History history) {
      periods.claim(history.run(), period.id());
    }
    return period;
  }

  /**
   * What the board's period of a time is or would be, that was never opened.
   *
   * @throws Refusal if the board has no period at that time
   */
  Slot slot(Board board, Instant time) {
    return timeline.plan(board, time).orElseThrow(() -> noPeriod(board, time));
  }

  private static Refusal noPeriod(Board board, Instant time) {
    return new Refusal(
        RefusalReason.NO_PERIOD, "the board '%s' has no period at %s".formatted(board.id(), time));
  }

  private Optional<Period> openNew(Board board, Instant time, EventOrigin origin) {
    requireOurs(board);
    if (origin instanceof EventOrigin.History history) {
      return Optional.of(
          timeline.openFor(history.run(), board, time).orElseThrow(() -> noPeriod(board, time)));
    }
    boolean over = !clock.instant().isBefore(slot(board, time).endsAt().plus(board.grace()));
    return over ? Optional.empty() : timeline.open(board, time);
  }

  /**
   * Makes the live board of an open period.
   *
   * @return whether the period is open, and so has its live board now
   * @throws palmares.live.board.LiveBoardGone if it had one that Redis has lost
   */
  boolean makeLive(Opening opening) {
    return starts.start(opening.period(), opening.rules());
  }

  /**
   * The board's period that ended by that time, if its grace is not over: where no other period
   * follows it, or one that refuses what it took.
   */
  Optional<Opening> justEnded(Board board, Instant now) {
    Map.Entry<Instant, Opening> near =
        known.computeIfAbsent(board.id(), id -> new ConcurrentSkipListMap<>()).floorEntry(now);
    if (near != null && near.getValue().period().slot().contains(now)) {
      return isWithinGrace(board, near.getKey(), now) ? before(near.getValue()) : Optional.empty();
    }
    return periods
        .lastBegun(board.id(), now)
        .filter(period -> !period.slot().contains(now))
        .filter(period -> isWithinGrace(board, period.slot().endsAt(), now))
        .map(period -> new Opening(period, definitions.of(period)))
        .filter(opening -> opening.rules().adoption() == null);
  }

  private static boolean isWithinGrace(Board board, Instant end, Instant now) {
    return now.isBefore(end.plus(board.grace()));
  }
}

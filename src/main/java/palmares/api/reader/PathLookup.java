package palmares.api.reader;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.platform.threads.Outages;
import palmares.platform.threads.RecentlyUsed;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.PeriodName;

/** Finds the period that a path names. */
@Component
public class PathLookup {
  private static final String CURRENT = "current";
  private static final int MAX_KNOWN = 10_000;

  private final Catalogue catalogue;
  private final Periods periods;
  private final PeriodTimeline timeline;
  private final Clock clock;

  /** What was found last, for while PostgreSQL is away. */
  private final Map<String, Period> known = RecentlyUsed.map(MAX_KNOWN);

  private final Map<String, Optional<Instant>> knownNextStarts = RecentlyUsed.map(MAX_KNOWN);

  PathLookup(Catalogue catalogue, Periods periods, PeriodTimeline timeline, Clock clock) {
    this.catalogue = catalogue;
    this.periods = periods;
    this.timeline = timeline;
    this.clock = clock;
  }

  /**
   * Finds a period. While PostgreSQL is away, an open period is found as it was seen last: its
   * lines are in Redis.
   *
   * @param name a period's name, or {@code current}
   * @throws Refusal if the board or period does not exist, or not yet
   */
  public Period period(String boardId, String name) {
    Board board =
        BoardId.parse(boardId)
            .flatMap(catalogue::find)
            .orElseThrow(
                () -> new Refusal(Problem.UNKNOWN_BOARD, new BoardSentences.Unknown(boardId)));
    String path = board.id() + " " + name;
    try {
      Period found = name.equals(CURRENT) ? current(board) : named(board, name);
      known.put(path, found);
      return found;
    } catch (DataAccessException e) {
      Period before = known.get(path);
      if (before == null || Outages.server(e).isEmpty() || !isStill(before, name)) {
        throw e;
      }
      return before;
    }
  }

  private boolean isStill(Period before, String name) {
    return before.state() == PeriodState.OPEN
        && (!name.equals(CURRENT) || before.slot().contains(clock.instant()));
  }

  /**
   * What depends on the present time.
   *
   * @param state the word that people are shown for the period's state
   * @param nextStartsAt when the board's next period starts; null if there is none
   */
  public record Timing(String state, @Nullable Instant nextStartsAt) {}

  /** Returns what people are shown of a period's times. */
  public Timing timing(Period period) {
    return new Timing(state(period), nextStart(period));
  }

  /** The word that people are shown for the period's state. */
  String state(Period period) {
    return period.shownState(clock.instant());
  }

  private @Nullable Instant nextStart(Period period) {
    Optional<Instant> start;
    try {
      start = catalogue.find(period.board()).flatMap(board -> timeline.nextStart(board, period));
      knownNextStarts.put(period.label(), start);
    } catch (DataAccessException e) {
      start = knownNextStarts.get(period.label());
      if (start == null || Outages.server(e).isEmpty()) {
        throw e;
      }
    }
    return start.orElse(null);
  }

  private Period current(Board board) {
    Instant now = clock.instant();
    return periods
        .at(board.id(), now)
        .orElseThrow(
            () ->
                unknownPeriod(
                    board.calendar().at(now).isEmpty()
                        ? new BoardSentences.NoCurrentPeriod(
                            board.id().value(), board.calendar().example())
                        : new BoardSentences.NotOpen(board.id().value())));
  }

  private Period named(Board board, String name) {
    return PeriodName.parse(name)
        .flatMap(found -> periods.find(board.id(), found))
        .orElseThrow(
            () ->
                unknownPeriod(
                    new BoardSentences.NoPeriod(
                        board.id().value(), name, board.calendar().example())));
  }

  private static Refusal unknownPeriod(Sentence said) {
    return new Refusal(Problem.UNKNOWN_PERIOD, said);
  }
}

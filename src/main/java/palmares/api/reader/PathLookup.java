package palmares.api.reader;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.period.Period;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.PeriodName;

/** Finds the period that a path names. */
@Component
public class PathLookup {
  private static final String CURRENT = "current";

  private final Catalogue catalogue;
  private final Periods periods;
  private final PeriodTimeline timeline;
  private final Clock clock;

  PathLookup(Catalogue catalogue, Periods periods, PeriodTimeline timeline, Clock clock) {
    this.catalogue = catalogue;
    this.periods = periods;
    this.timeline = timeline;
    this.clock = clock;
  }

  /**
   * Finds a period.
   *
   * @param name a period's name, or {@code current}
   * @throws ProblemException if the board or period does not exist, or not yet
   */
  public Period period(String boardId, String name) {
    Board board =
        id(boardId)
            .flatMap(catalogue::find)
            .orElseThrow(
                () ->
                    new ProblemException(
                        Problem.UNKNOWN_BOARD, "board '" + boardId + "' does not exist"));
    return name.equals(CURRENT) ? current(board) : named(board, name);
  }

  /** Returns when the board's next period after this one starts; null if there is none. */
  public @Nullable Instant nextStart(Period period) {
    return catalogue
        .find(period.board())
        .flatMap(board -> timeline.nextStart(board, period))
        .orElse(null);
  }

  private Period current(Board board) {
    Instant now = clock.instant();
    return periods
        .at(board.id(), now)
        .orElseThrow(
            () ->
                unknownPeriod(
                    board.calendar().at(now).isEmpty()
                        ? "board '%s' has no current period: name one, such as %s"
                            .formatted(board.id(), board.calendar().example())
                        : "the current period of board '%s' is not open yet: its first event or the"
                                .formatted(board.id())
                            + " scheduler opens it"));
  }

  private Period named(Board board, String name) {
    return name(name)
        .flatMap(found -> periods.find(board.id(), found))
        .orElseThrow(
            () ->
                unknownPeriod(
                    "board '%s' has no period '%s': name one such as %s, or 'current'"
                        .formatted(board.id(), name, board.calendar().example())));
  }

  private static ProblemException unknownPeriod(String detail) {
    return new ProblemException(Problem.UNKNOWN_PERIOD, detail);
  }

  private static Optional<PeriodName> name(String period) {
    try {
      return Optional.of(new PeriodName(period));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<BoardId> id(String board) {
    try {
      return Optional.of(new BoardId(board));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}

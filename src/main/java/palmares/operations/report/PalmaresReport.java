package palmares.operations.report;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import palmares.operations.report.Outcomes.Outcome;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.PeriodName;

/** The published lists of settled periods: what the view {@code palmares} shows people. */
@Component
public class PalmaresReport {
  private final Outcomes outcomes;
  private final FinalLines lines;

  PalmaresReport(Outcomes outcomes, FinalLines lines) {
    this.outcomes = outcomes;
    this.lines = lines;
  }

  /**
   * Every line in order of period and place, one after the other, however many there are.
   *
   * @param period only this one; null for every settled period of the board
   */
  @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
  public long each(BoardId board, @Nullable PeriodName period, Consumer<FinalLine> line) {
    List<Outcome> standing =
        period == null
            ? outcomes.standing(board)
            : outcomes.standing(board, period).stream().toList();
    return standing.stream().mapToLong(outcome -> lines.each(outcome, 1, null, line)).sum();
  }

  /** The best lines of a settled period. */
  public List<FinalLine> top(BoardId board, PeriodName period, int count) {
    return from(board, period, 1, count);
  }

  /**
   * Lines of a settled period from a place on.
   *
   * @param place of the first line, from 1
   */
  public List<FinalLine> from(BoardId board, PeriodName period, long place, int count) {
    return read(board, period, List.of(), outcome -> lines.list(outcome, place, count));
  }

  /** How many lines a settled period has: the last one's place. */
  public long members(BoardId board, PeriodName period) {
    return read(board, period, 0L, lines::count);
  }

  /** How many lines of a settled period have a rank: all others stand behind them. */
  public long ranked(BoardId board, PeriodName period) {
    return placeOf(board, period, Long.MAX_VALUE) - 1;
  }

  /**
   * The place of a settled period's first line of that rank, a worse one or none. One place past
   * the last line if there is none.
   */
  public long placeOf(BoardId board, PeriodName period, long rank) {
    return read(board, period, 1L, outcome -> lines.placeOf(outcome, rank));
  }

  /** The lines of those of the members who have one in the settled period, in order of place. */
  public List<FinalLine> find(BoardId board, PeriodName period, List<MemberId> members) {
    return read(
        board,
        period,
        List.of(),
        outcome -> lines.find(outcome, members.stream().map(MemberId::value).toList()));
  }

  /** A member's line and its neighbours; empty if the member has none in the period. */
  public List<FinalLine> around(BoardId board, PeriodName period, MemberId member, int neighbours) {
    return read(
        board, period, List.of(), outcome -> lines.around(outcome, member.value(), neighbours));
  }

  private <T> T read(BoardId board, PeriodName period, T unsettled, Function<Outcome, T> read) {
    Optional<Outcome> standing = outcomes.standing(board, period);
    return standing.map(read).orElse(unsettled);
  }
}

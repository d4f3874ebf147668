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

/** Reads the published lists of settled periods, as in the view {@code palmares}. */
@Component
public class PalmaresReport {
  private final Outcomes outcomes;
  private final FinalLines lines;

  PalmaresReport(Outcomes outcomes, FinalLines lines) {
    this.outcomes = outcomes;
    this.lines = lines;
  }

  /**
   * Reads every line in order of period and place, without holding them all in memory.
   *
   * @param periods only these, as far as they are settled; null for every settled one of the board
   * @return the number of lines
   */
  @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
  public long each(BoardId board, @Nullable List<PeriodName> periods, Consumer<FinalLine> line) {
    return outcomes.current(board, periods).stream()
        .mapToLong(outcome -> lines.each(outcome, 1, null, line))
        .sum();
  }

  /** The best lines of a settled period. */
  public List<FinalLine> top(BoardId board, PeriodName period, int count) {
    return from(board, period, 1, count);
  }

  /**
   * Lines of a settled period from a place on.
   *
   * @param place the place of the first line, from 1
   */
  public List<FinalLine> from(BoardId board, PeriodName period, long place, int count) {
    return read(board, period, List.of(), outcome -> lines.list(outcome, place, count));
  }

  /** The lines of a settled period at some places, in order. */
  public List<FinalLine> at(BoardId board, PeriodName period, List<Long> places) {
    return read(board, period, List.of(), outcome -> lines.at(outcome, places));
  }

  /** The number of lines of a settled period. */
  public long members(BoardId board, PeriodName period) {
    return read(board, period, 0L, lines::count);
  }

  /** The number of lines with a rank; all others follow them. */
  public long ranked(BoardId board, PeriodName period) {
    return placeOf(board, period, Long.MAX_VALUE) - 1;
  }

  /**
   * The place of a settled period's first line with this rank, a worse one or none; one past the
   * last line if there is no such line.
   */
  public long placeOf(BoardId board, PeriodName period, long rank) {
    return read(board, period, 1L, outcome -> lines.placeOf(outcome, rank));
  }

  /** The lines of these members in order of place; none for members without one. */
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
    Optional<Outcome> current = outcomes.current(board, period);
    return current.map(read).orElse(unsettled);
  }
}

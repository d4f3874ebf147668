package palmares.api.reader;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.api.reader.PathLookup.Timing;
import palmares.api.reader.lines.Cursor;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;
import palmares.period.Period;

/**
 * The JSON form of a period's board, with some of its lines.
 *
 * @param closesAt when it is due to close, its end plus grace; null if it never closes
 * @param nextStartsAt when the board's next period starts; null if there is none
 * @param asOf when the live board was read, by the clock of Redis; null once the period is settled
 * @param members number of ranked members
 * @param lines in the board's order; null if the request asked for none
 * @param next cursor of the next page; null on the last page, or if the response is no page
 * @param absent requested members that are not on the board; null if none were named
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BoardView(
    String board,
    String period,
    String state,
    Instant startsAt,
    Instant endsAt,
    @Nullable Instant closesAt,
    @Nullable Instant nextStartsAt,
    @Nullable Instant asOf,
    long members,
    @Nullable List<LineView> lines,
    @Nullable String next,
    @Nullable List<String> absent) {

  static BoardView withoutLines(Period period, Timing timing, PeriodBoard.Section section) {
    return of(period, timing, section, null, null, null);
  }

  /** A view of some lines. */
  public static BoardView of(Period period, Timing timing, PeriodBoard.Section section) {
    return of(period, timing, section, section.lines(), null, null);
  }

  static BoardView page(Period period, Timing timing, PeriodBoard.Section section) {
    Cursor end = section.end();
    List<LineView> lines = section.lines();
    boolean more = !lines.isEmpty() && lastPlace(lines) < section.members();
    return of(period, timing, section, lines, more && end != null ? end.text() : null, null);
  }

  /** Pages contain ranked members only. */
  private static long lastPlace(List<LineView> lines) {
    return Objects.requireNonNull(lines.get(lines.size() - 1).place(), "ranked");
  }

  static BoardView friends(
      Period period, Timing timing, PeriodBoard.Section section, List<String> absent) {
    return of(period, timing, section, section.lines(), null, absent);
  }

  private static BoardView of(
      Period period,
      Timing timing,
      PeriodBoard.Section section,
      @Nullable List<LineView> lines,
      @Nullable String next,
      @Nullable List<String> absent) {
    return new BoardView(
        period.board().value(),
        period.name().value(),
        timing.state(),
        period.slot().startsAt(),
        period.slot().endsAt(),
        period.closesAt(),
        timing.nextStartsAt(),
        section.asOf(),
        section.members(),
        lines,
        next,
        absent);
  }
}

package palmares.api.reader;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.api.reader.lines.Cursor;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;
import palmares.period.Period;

/**
 * A period's board, and some of its lines.
 *
 * @param members how many stand on it
 * @param lines in its order; null if none were asked for
 * @param next the cursor of the page below; null if no line is below, or it is no page
 * @param absent those asked for who do not stand on it; null if nobody was asked for by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BoardView(
    String board,
    String period,
    String state,
    Instant startsAt,
    Instant endsAt,
    long members,
    @Nullable List<LineView> lines,
    @Nullable String next,
    @Nullable List<String> absent) {

  static BoardView bare(Period period, long members) {
    return of(period, members, null, null, null);
  }

  /** Some lines that were asked for. */
  public static BoardView of(Period period, PeriodBoard.Section section) {
    return of(period, section.members(), section.lines(), null, null);
  }

  /** A page that others may follow. */
  static BoardView page(Period period, PeriodBoard.Section section) {
    Cursor end = section.end();
    List<LineView> lines = section.lines();
    boolean more = !lines.isEmpty() && lastPlace(lines) < section.members();
    return of(period, section.members(), lines, more && end != null ? end.text() : null, null);
  }

  /** Lists hold ranked members only. */
  private static long lastPlace(List<LineView> lines) {
    return Objects.requireNonNull(lines.get(lines.size() - 1).place(), "ranked");
  }

  static BoardView among(Period period, PeriodBoard.Section section, List<String> absent) {
    return of(period, section.members(), section.lines(), null, absent);
  }

  private static BoardView of(
      Period period,
      long members,
      @Nullable List<LineView> lines,
      @Nullable String next,
      @Nullable List<String> absent) {
    return new BoardView(
        period.board().value(),
        period.name().value(),
        period.state().word(),
        period.slot().startsAt(),
        period.slot().endsAt(),
        members,
        lines,
        next,
        absent);
  }
}

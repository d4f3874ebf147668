package palmares.reader;

import java.time.Instant;
import java.util.List;
import palmares.period.Period;

/** Some lines of a period's board. */
record BoardView(
    String board,
    String period,
    String state,
    Instant startsAt,
    Instant endsAt,
    List<LineView> lines) {

  static BoardView of(Period period, List<LineView> lines) {
    return new BoardView(
        period.board().value(),
        period.name().value(),
        period.state().word(),
        period.slot().startsAt(),
        period.slot().endsAt(),
        lines);
  }
}

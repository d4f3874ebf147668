package palmares.console;

import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import palmares.operations.report.PeriodList.Entry;
import palmares.platform.time.Days;
import palmares.rules.board.Board;

/**
 * Lays periods out by days. A period takes the days of its board's own zone, as its name says: a
 * week takes seven.
 *
 * @param first the first day
 * @param days how many days there are
 */
record DayGrid(LocalDate first, int days) {

  /**
   * Some days of a row.
   *
   * @param span how many
   * @param periods those that take them, in order of time; none if the board has no period then
   */
  record Cell(int span, List<Entry> periods) {
    private static final int MAX_SHOWN = 4;

    /** The periods to show: of many, those that are not settled, and the last. */
    public List<Entry> shown() {
      int last = periods.size() - 1;
      return last < MAX_SHOWN
          ? periods
          : IntStream.rangeClosed(0, last)
              .filter(at -> at == last || !periods.get(at).state().isSettled())
              .mapToObj(periods::get)
              .toList();
    }

    private Cell with(Entry period) {
      var both = new ArrayList<>(periods);
      both.add(period);
      return new Cell(span, List.copyOf(both));
    }
  }

  /** A board's cells, which together take all days. */
  record Row(Board board, List<Cell> cells) {}

  /** The days in order. */
  public List<LocalDate> dates() {
    return IntStream.range(0, days).mapToObj(first::plusDays).toList();
  }

  /** How many of the days are in each month, in order. */
  public Map<YearMonth, Integer> months() {
    var months = new LinkedHashMap<YearMonth, Integer>();
    dates().forEach(day -> months.merge(YearMonth.from(day), 1, Integer::sum));
    return months;
  }

  /**
   * The row of a board. Periods that share a day share a cell.
   *
   * @param periods in order of time
   */
  Row row(Board board, List<Entry> periods) {
    var cells = new ArrayList<Cell>();
    int free = 0;
    for (Entry period : periods) {
      int begins = day(period.startsAt(), board.calendar().days());
      int from = Math.max(free, begins);
      int until = Math.min(days, 1 + day(period.endsAt().minusMillis(1), board.calendar().days()));
      if (from < until) {
        addEmpty(from - free, cells);
        cells.add(new Cell(until - from, List.of(period)));
        free = until;
      } else if (until > 0 && begins < days) {
        cells.set(cells.size() - 1, cells.get(cells.size() - 1).with(period));
      }
    }
    addEmpty(days - free, cells);
    return new Row(board, List.copyOf(cells));
  }

  private static void addEmpty(int count, List<Cell> cells) {
    for (int i = 0; i < count; i++) {
      cells.add(new Cell(1, List.of()));
    }
  }

  /** The column of a time, which may be outside of the grid. */
  private int day(Instant time, Days calendar) {
    long day = ChronoUnit.DAYS.between(first, calendar.date(time));
    return (int) Math.max(-1, Math.min(days, day));
  }
}

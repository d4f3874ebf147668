package palmares.console;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Component;
import palmares.operations.explain.Explanation;
import palmares.operations.explain.Explanation.CurvePoint;
import palmares.operations.explain.Explanation.PeriodInfo;
import palmares.operations.report.BoardTrend;
import palmares.operations.report.FinalLine;
import palmares.operations.report.MemberHistory.MemberLine;
import palmares.operations.report.PalmaresReport;
import palmares.platform.chart.Axis;
import palmares.platform.chart.BarChart;
import palmares.platform.chart.Caption;
import palmares.platform.chart.Chart;
import palmares.platform.chart.LineChart;
import palmares.platform.chart.Series;
import palmares.platform.chart.Series.Point;
import palmares.platform.chart.StepChart;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Draws the charts of pages. */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class Charts {
  private static final int PERIODS = 30;

  /** The width of a chart that fills its row of a page at a desk. */
  private static final int ROW = 974;

  /** The width of one of two charts in a row. */
  private static final int HALF_ROW = 464;

  private static final int PHONE = 322;

  /** A line chart of ranks reads this many lines of any period, however many members it has. */
  private static final int SAMPLES_PER_POWER_OF_TEN = 12;

  private final BoardTrend trend;
  private final PalmaresReport standings;
  private final MessageSource messages;

  Charts(BoardTrend trend, PalmaresReport standings, MessageSource messages) {
    this.trend = trend;
    this.standings = standings;
    this.messages = messages;
  }

  /** A chart in the two widths in which pages show it; the style sheet selects one. */
  record Drawing(String desk, String phone) {
    static Drawing of(Chart chart, int width) {
      return new Drawing(chart.svg(width), chart.svg(PHONE));
    }
  }

  private static Drawing half(Chart chart) {
    return Drawing.of(chart, HALF_ROW);
  }

  private static Drawing row(Chart chart) {
    return Drawing.of(chart, ROW);
  }

  /** The description has the figures of each series, for those who do not see the chart. */
  private Caption caption(String word, Locale locale, List<Series> shown, Object... about) {
    String figures =
        shown.stream()
            .filter(series -> !series.points().isEmpty())
            .map(series -> figures(series, locale))
            .collect(Collectors.joining(" "));
    return new Caption(
        text("chart." + word, locale),
        text("chart." + word + ".text", locale, about) + " " + figures,
        locale);
  }

  private String figures(Series series, Locale locale) {
    DoubleSummaryStatistics all =
        series.points().stream().mapToDouble(Point::y).summaryStatistics();
    double last = series.points().get(series.points().size() - 1).y();
    return text("chart.figures", locale, series.name(), all.getMin(), all.getMax(), last);
  }

  private String text(String key, Locale locale, Object... about) {
    return messages.getMessage(key, about, locale);
  }

  /** How many members took part in the last periods of a board, and what they got. */
  List<Drawing> trend(BoardId board, Locale locale) {
    List<BoardTrend.Point> points = trend.last(board, PERIODS);
    if (points.size() < 2) {
      return List.of();
    }
    var members = new LinkedHashMap<String, Long>();
    points.forEach(point -> members.put(point.period(), point.members()));
    List<String> names = List.copyOf(members.keySet());
    var charts = new ArrayList<Drawing>();
    String unit = text("column.members", locale);
    List<Series> participation = List.of(Series.of(unit, List.copyOf(members.values())));
    charts.add(
        half(
            new BarChart(
                caption("participation", locale, participation, names.size()),
                names,
                Axis.numbers(unit),
                participation)));
    for (List<Series> some : parts(paid(points, names))) {
      charts.add(
          half(
              new BarChart(
                  caption("credits", locale, some, names.size()), names, unit(some), some)));
    }
    return charts;
  }

  /** As many series as a chart takes, and the rest. */
  private static List<List<Series>> parts(List<Series> all) {
    return IntStream.iterate(0, i -> i < all.size(), i -> i + Series.MAX_SERIES)
        .mapToObj(i -> all.subList(i, Math.min(all.size(), i + Series.MAX_SERIES)))
        .toList();
  }

  /** Several currencies are named by a legend. */
  private static Axis unit(List<Series> currencies) {
    return Axis.numbers(currencies.size() == 1 ? currencies.get(0).name() : "");
  }

  private static List<Series> paid(List<BoardTrend.Point> points, List<String> names) {
    Map<String, List<Point>> byCurrency =
        points.stream()
            .filter(point -> point.currency() != null)
            .collect(
                Collectors.groupingBy(
                    point -> String.valueOf(point.currency()),
                    LinkedHashMap::new,
                    Collectors.mapping(
                        point ->
                            new Point(names.indexOf(point.period()), point.paid().doubleValue()),
                        Collectors.toList())));
    return byCurrency.entrySet().stream()
        .map(entry -> new Series(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Points and prizes by place of a settled period, at places whose distances grow. */
  List<Drawing> distribution(BoardId board, PeriodName period, Locale locale) {
    long ranked = standings.ranked(board, period);
    if (ranked < 2) {
      return List.of();
    }
    List<FinalLine> lines = standings.at(board, period, places(ranked));
    List<Point> points =
        lines.stream().map(line -> new Point(line.place(), line.points())).toList();
    List<Series> prizes = prizes(lines);
    Axis places = Axis.logarithmic(text("chart.place", locale));
    var charts = new ArrayList<Drawing>();
    String unit = text("column.points", locale);
    List<Series> byPlace = List.of(new Series(unit, points));
    charts.add(
        half(
            new LineChart(
                caption("points-by-place", locale, byPlace, ranked),
                places,
                Axis.numbers(unit),
                byPlace)));
    for (List<Series> some : parts(prizes)) {
      charts.add(
          half(
              new StepChart(
                  caption("prizes-by-place", locale, some, ranked),
                  places,
                  unit(some),
                  some,
                  ranked)));
    }
    return charts;
  }

  /** A series for each currency, with the prize at each place. */
  private static List<Series> prizes(List<FinalLine> lines) {
    return lines.stream()
        .flatMap(line -> line.prizes().amounts().keySet().stream())
        .distinct()
        .sorted()
        .map(
            currency ->
                new Series(
                    currency,
                    lines.stream()
                        .map(line -> new Point(line.place(), line.prizes().of(currency)))
                        .toList()))
        .toList();
  }

  private static List<Long> places(long ranked) {
    var places = new LinkedHashSet<Long>();
    for (int i = 0; Math.pow(10, (double) i / SAMPLES_PER_POWER_OF_TEN) < ranked; i++) {
      places.add((long) Math.pow(10, (double) i / SAMPLES_PER_POWER_OF_TEN));
    }
    places.add(ranked);
    return List.copyOf(places);
  }

  /** A member's ranks over its periods; null if there are fewer than two. */
  @Nullable Drawing ranks(List<MemberLine> lines, Locale locale) {
    var ranked = new ArrayList<>(lines.stream().filter(line -> line.rank() != null).toList());
    Collections.reverse(ranked);
    if (ranked.size() < 2) {
      return null;
    }
    String unit = text("column.rank", locale);
    List<Point> points =
        IntStream.range(0, ranked.size())
            .mapToObj(i -> new Point(i, requireNonNull(ranked.get(i).rank())))
            .toList();
    List<Series> ranks = List.of(new Series(unit, points));
    return row(
        new LineChart(
            caption("ranks", locale, ranks, ranked.size()),
            Axis.labels(ranked.stream().map(line -> line.period().value()).toList()),
            Axis.numbers(unit).between(1, Double.NaN).reversed(),
            ranks));
  }

  /** A member's points over a period, as far as it has come; null without events. */
  @Nullable Drawing curve(Explanation explanation, Instant now, Locale locale) {
    List<CurvePoint> curve = explanation.journal().curve();
    if (curve.isEmpty()) {
      return null;
    }
    var points = new ArrayList<Point>();
    points.add(Point.at(curve.get(0).at(), 0));
    curve.forEach(point -> points.add(Point.at(point.at(), point.points())));
    double last = points.get(points.size() - 1).x();
    String unit = text("column.points", locale);
    List<Series> grown = List.of(new Series(unit, points));
    PeriodInfo period = explanation.period();
    return row(
        new StepChart(
            caption("curve", locale, grown),
            Axis.times(ZoneId.of(period.zone())).between(period.startsAt(), period.endsAt()),
            Axis.numbers(unit),
            grown,
            Math.max(last, now.toEpochMilli())));
  }
}

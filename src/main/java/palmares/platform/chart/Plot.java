package palmares.platform.chart;

import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import palmares.platform.chart.AxisScale.Tick;
import palmares.platform.chart.Series.Point;

/** The common part of charts with two axes: grid, ticks and the names of series. */
final class Plot {
  private static final double MAX_HEIGHT = 280;
  private static final double MIN_HEIGHT = 200;

  /**
   * The height of a chart of neither the least nor the greatest height, as a share of its width.
   */
  private static final double HEIGHT_SHARE = 0.48;

  private static final double TOP = 28;
  private static final double LINE_HEIGHT = 16;
  private static final double GAP = 8;
  private static final int MAX_X_TICKS = 8;
  private static final int MIN_X_TICKS = 3;

  /** The least distance of two ticks of the x axis whose texts have about ten characters. */
  private static final double X_TICK_DISTANCE = 84;

  private static final int Y_TICKS = 5;

  /** From this number on, points are not marked, because marks would hide the line. */
  private static final int MAX_MARKS = 60;

  private final List<Series> series;
  private final AxisScale x;
  private final AxisScale y;
  private final int width;
  private final double left;
  private final double right;
  private final double bottom;
  private final Svg svg;
  private final String unit;

  Plot(String kind, int width, Caption caption, Axis xAxis, Axis yAxis, List<Series> series) {
    if (series.size() > Series.MAX_SERIES) {
      throw new IllegalArgumentException(
          "%d series are more than a chart can show; draw at most %d"
              .formatted(series.size(), Series.MAX_SERIES));
    }
    this.series = series;
    this.width = width;
    double height = Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, width * HEIGHT_SHARE));
    int ticks = (int) Math.max(MIN_X_TICKS, Math.min(MAX_X_TICKS, width / X_TICK_DISTANCE));
    x = xAxis.scale(points(series).mapToDouble(Point::x).toArray(), ticks, caption.locale());
    y = yAxis.scale(points(series).mapToDouble(Point::y).toArray(), Y_TICKS, caption.locale());
    left = GAP + Math.max(4, longest(y.ticks().stream().map(Tick::label))) * Svg.CHARACTER + GAP;
    right = width - (named() ? 2 * GAP + longest(names()) * Svg.CHARACTER + GAP : 3 * GAP);
    bottom = height - LINE_HEIGHT - GAP - 2 - (xAxis.unit().isEmpty() ? 0 : LINE_HEIGHT);
    svg = new Svg(kind, caption, width, height);
    unit = yAxis.unit();
    axes(xAxis);
  }

  private static Stream<Point> points(List<Series> series) {
    return series.stream().flatMap(one -> one.points().stream());
  }

  private boolean named() {
    return series.size() > 1;
  }

  private Stream<String> names() {
    return series.stream().map(Series::name);
  }

  private static int longest(Stream<String> texts) {
    return texts.mapToInt(text -> text.codePointCount(0, text.length())).max().orElse(0);
  }

  private void axes(Axis xAxis) {
    for (Tick tick : y.ticks()) {
      svg.empty("path", "class", "grid", "d", "M%s %sH%s".formatted(n(left), n(y(tick)), n(right)));
      text("tick end", left - GAP, y(tick) + 4, tick.label());
    }
    List<Tick> shown = xAxis.hasLabels() ? thinned(x.ticks()) : x.ticks();
    for (Tick tick : shown) {
      double at = x(tick.value());
      svg.empty("path", "class", "mark", "d", "M%s %sv%s".formatted(n(at), n(bottom), n(GAP / 2)));
      text("tick middle", within(at, tick.label()), bottom + LINE_HEIGHT + 2, tick.label());
    }
    text("unit", GAP, TOP - 2 * GAP + 4, unit);
    text("unit end", right, bottom + 2 * LINE_HEIGHT, xAxis.unit());
  }

  /** The middle of a text, as near to a place as the sides of the chart let it be. */
  private double within(double at, String text) {
    double half = longest(Stream.of(text)) * Svg.CHARACTER / 2;
    return Math.max(half, Math.min(width - half, at));
  }

  /** Every nth of the labels, so that none touches the next. */
  private List<Tick> thinned(List<Tick> ticks) {
    double room = (longest(ticks.stream().map(Tick::label)) + 2) * Svg.CHARACTER;
    int nth = (int) Math.ceil(room * ticks.size() / (right - left));
    return IntStream.range(0, ticks.size())
        .filter(i -> i % Math.max(1, nth) == 0)
        .mapToObj(ticks::get)
        .toList();
  }

  private void text(String css, double atX, double atY, String content) {
    if (!content.isEmpty()) {
      svg.element("text", content, "class", css, "x", atX, "y", atY);
    }
  }

  Svg svg() {
    return svg;
  }

  double x(double value) {
    return left + x.share(value) * (right - left);
  }

  double y(double value) {
    return bottom - y.share(value) * (bottom - TOP);
  }

  private double y(Tick tick) {
    return y(tick.value());
  }

  /** The height of the line from which bars rise. */
  double base() {
    return y(y.base());
  }

  double right() {
    return right;
  }

  /** The width of the place of one label. */
  double slot() {
    return (right - left) / Math.max(1, x.ticks().size());
  }

  static String n(double coordinate) {
    return Svg.number(coordinate);
  }

  /**
   * Shows the values at an x to a reader who points anywhere near it. The areas are as high as the
   * plot, and end halfway to the next x, so that no value is too small to be found.
   */
  void tips() {
    var at = new TreeMap<Double, String>();
    for (Series one : series) {
      for (Point point : one.points()) {
        at.merge(point.x(), tip(one, point), (above, below) -> above + "\n" + below);
      }
    }
    List<Double> places = List.copyOf(at.keySet());
    for (int i = 0; i < places.size(); i++) {
      double here = x(places.get(i));
      double from = i == 0 ? left : (x(places.get(i - 1)) + here) / 2;
      double to = i == places.size() - 1 ? right : (here + x(places.get(i + 1))) / 2;
      String text = x.text().apply(places.get(i)) + ": " + at.get(places.get(i));
      svg.tipped(
          text,
          "rect",
          "class",
          "tip",
          "x",
          from,
          "y",
          TOP,
          "width",
          Math.max(0, to - from),
          "height",
          bottom - TOP);
    }
  }

  private String tip(Series one, Point point) {
    String value = y.text().apply(point.y()) + (unit.isEmpty() ? "" : " " + unit);
    return named() ? value + " (" + one.name() + ")" : value;
  }

  /** Draws a line for each series, along a path in SVG, and returns the chart. */
  String lines(BiFunction<Plot, Series, String> path) {
    for (int i = 0; i < series.size(); i++) {
      line(i, path.apply(this, series.get(i)));
    }
    nameLines();
    tips();
    return svg.toString();
  }

  /** Draws a line and marks its points, unless there are too many. */
  private void line(int index, String path) {
    Series one = series.get(index);
    if (one.points().isEmpty()) {
      return;
    }
    svg.open("g", "class", css(index));
    svg.empty("path", "class", "line", "d", path);
    if (one.points().size() <= MAX_MARKS) {
      for (Point point : one.points()) {
        svg.empty("circle", "cx", x(point.x()), "cy", y(point.y()), "r", 2.5);
      }
    }
    svg.close("g");
  }

  static String css(int index) {
    return "series-" + (index + 1);
  }

  /** Names the series at the right, each as near to its last point as the others let it be. */
  private void nameLines() {
    var drawn =
        IntStream.range(0, series.size())
            .filter(i -> !series.get(i).points().isEmpty())
            .boxed()
            .sorted(Comparator.comparingDouble(i -> y(last(series.get(i)).y())))
            .toList();
    double next = TOP - GAP;
    for (int index : drawn) {
      next = name(index, Math.max(next, y(last(series.get(index)).y()) + 4));
    }
  }

  private static Point last(Series one) {
    return one.points().get(one.points().size() - 1);
  }

  /** Names the series at the right, from the top. */
  void nameBars() {
    double next = TOP;
    for (int index = 0; index < series.size(); index++) {
      next = name(index, next);
    }
  }

  private double name(int index, double atY) {
    if (named()) {
      text("name " + css(index), right + 2 * GAP, atY, series.get(index).name());
    }
    return atY + LINE_HEIGHT;
  }
}

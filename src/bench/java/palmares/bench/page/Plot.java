package palmares.bench.page;

import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** A plot of seconds by members as SVG. Both axes are logarithmic. */
final class Plot {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 460;
  private static final int LEFT = 80;
  private static final int RIGHT = 150;
  private static final int TOP = 50;
  private static final int BOTTOM = 60;

  private final List<Series> series;
  private final Range members;
  private final Range seconds;

  Plot(List<Series> series) {
    this.series = series.stream().filter(one -> !one.growth().values().isEmpty()).toList();
    this.members =
        Range.of(
            this.series.stream()
                .flatMapToDouble(
                    one -> one.growth().values().keySet().stream().mapToDouble(Long::doubleValue))
                .toArray());
    this.seconds =
        Range.of(
            this.series.stream()
                .flatMapToDouble(
                    one -> one.growth().values().values().stream().mapToDouble(Double::doubleValue))
                .toArray());
  }

  /** A line of the plot. */
  record Series(String name, String colour, Growth growth) {}

  /** Whole powers of ten that enclose all values. */
  private record Range(int from, int to) {
    static Range of(double... values) {
      double least = Double.POSITIVE_INFINITY;
      double most = Double.NEGATIVE_INFINITY;
      for (double value : values) {
        least = Math.min(least, Math.log10(value));
        most = Math.max(most, Math.log10(value));
      }
      if (values.length == 0) {
        return new Range(0, 1);
      }
      int from = (int) Math.floor(least);
      return new Range(from, Math.max(from + 1, (int) Math.ceil(most)));
    }

    double part(double value) {
      return (Math.log10(value) - from) / (to - from);
    }
  }

  String svg() {
    var svg = new StringBuilder(frame());
    for (int power = members.from(); power <= members.to(); power++) {
      svg.append(upright(power));
    }
    for (int power = seconds.from(); power <= seconds.to(); power++) {
      svg.append(level(power));
    }
    series.forEach(one -> svg.append(line(one)));
    return svg.append("</svg>\n").toString();
  }

  private static String frame() {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" \
    font-family="Helvetica, Arial, sans-serif" font-size="13">
      <title>How long a closing takes, by the number of members</title>
      <style>
        .grid { stroke: #d5dbe3; stroke-width: 1 }
        .line { fill: none; stroke-width: 2.2 }
        .axis { fill: #51606f }
        .name { font-weight: bold }
      </style>
      <rect width="%1$d" height="%2$d" fill="#fbfcfe"/>
      <text class="name" x="%3$d" y="28" fill="#14273f">seconds, by members</text>
    """
        .formatted(WIDTH, HEIGHT, LEFT);
  }

  private String upright(int power) {
    return """
      <path class="grid" d="M%1$s %2$dV%3$d"/>\
    <text class="axis" x="%1$s" y="%4$d" text-anchor="middle">%5$s</text>
    """
        .formatted(
            x(Math.pow(10, power)),
            TOP,
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 22,
            Units.count(Math.pow(10, power)));
  }

  private String level(int power) {
    return """
      <path class="grid" d="M%1$d %2$sH%3$d"/>\
    <text class="axis" x="%4$d" y="%2$s" dy="4" text-anchor="end">%5$s</text>
    """
        .formatted(
            LEFT,
            y(Math.pow(10, power)),
            WIDTH - RIGHT,
            LEFT - 8,
            Units.seconds(Math.pow(10, power)).replaceFirst("\\.0+ ", " "));
  }

  private String line(Series one) {
    SortedMap<Long, Double> values = one.growth().values();
    String path =
        values.entrySet().stream()
            .map(point -> x(point.getKey()) + " " + y(point.getValue()))
            .collect(Collectors.joining("L", "M", ""));
    String dots =
        values.entrySet().stream()
            .map(
                point ->
                    "<circle cx=\"%s\" cy=\"%s\" r=\"3.5\"/>"
                        .formatted(x(point.getKey()), y(point.getValue())))
            .collect(Collectors.joining());
    return """
      <path class="line" stroke="%1$s" d="%2$s"/><g fill="%1$s">%3$s\
    <text class="name" x="%4$s" y="%5$s" dx="10" dy="4">%6$s</text></g>
    """
        .formatted(
            one.colour(), path, dots, x(values.lastKey()), y(one.growth().last()), one.name());
  }

  private String x(double value) {
    return coordinate(LEFT + members.part(value) * (WIDTH - LEFT - RIGHT));
  }

  private String y(double value) {
    return coordinate(HEIGHT - BOTTOM - seconds.part(value) * (HEIGHT - TOP - BOTTOM));
  }

  private static String coordinate(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}

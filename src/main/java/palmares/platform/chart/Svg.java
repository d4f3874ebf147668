package palmares.platform.chart;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Objects;

/** Writes the elements of one SVG image. */
final class Svg {
  /** The width of a character of the chart's font, about. */
  static final double CHARACTER = 6.6;

  private static final String HEAD_END = "</desc>\n";
  private static final String STYLES = styles();

  private final StringBuilder text = new StringBuilder();

  /** Begins an image, which is never shown larger than it is drawn. */
  Svg(String kind, Caption caption, double width, double height) {
    open(
        "svg",
        "class",
        "chart " + kind,
        "width",
        width,
        "height",
        height,
        "viewBox",
        "0 0 %s %s".formatted(number(width), number(height)),
        "role",
        "img");
    element("title", caption.title());
    text.append("<desc>").append(escaped(caption.description())).append(HEAD_END);
  }

  private static String styles() {
    try (InputStream in = Svg.class.getResourceAsStream(Chart.STYLE_SHEET)) {
      return new String(Objects.requireNonNull(in, Chart.STYLE_SHEET).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String standalone(String svg) {
    int head = svg.indexOf(HEAD_END) + HEAD_END.length();
    return svg.substring(0, head)
            .replaceFirst("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ")
        + "<style>\n%s.chart { background: var(--chart-ground); }\n</style>\n".formatted(STYLES)
        + svg.substring(head);
  }

  /**
   * Begins an element.
   *
   * @param attributes names and values in turn
   */
  Svg open(String name, Object... attributes) {
    begin(name, attributes);
    text.append(">\n");
    return this;
  }

  Svg close(String name) {
    text.append("</").append(name).append(">\n");
    return this;
  }

  Svg empty(String name, Object... attributes) {
    begin(name, attributes);
    text.append("/>\n");
    return this;
  }

  Svg element(String name, String content, Object... attributes) {
    begin(name, attributes);
    text.append('>').append(escaped(content));
    return close(name);
  }

  /** An element that shows the tip when the pointer is on it. */
  Svg tipped(String tip, String name, Object... attributes) {
    begin(name, attributes);
    text.append("><title>").append(escaped(tip)).append("</title>");
    return close(name);
  }

  private void begin(String name, Object... attributes) {
    text.append('<').append(name);
    for (int i = 0; i < attributes.length; i += 2) {
      Object value = attributes[i + 1];
      text.append(' ').append(attributes[i]).append("=\"");
      text.append(value instanceof Double number ? number(number) : escaped(value.toString()));
      text.append('"');
    }
  }

  /** A coordinate with at most one decimal. */
  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** The text for XML; a character that XML forbids becomes the replacement character. */
  private static String escaped(String text) {
    var escaped = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            point -> {
              switch (point) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(allowed(point) ? point : '\uFFFD');
              }
            });
    return escaped.toString();
  }

  private static boolean allowed(int point) {
    return point >= ' '
        ? Character.getType(point) != Character.SURROGATE && (point & 0xFFFE) != 0xFFFE
        : point == '\t' || point == '\n' || point == '\r';
  }

  @Override
  public String toString() {
    return text + "</svg>\n";
  }
}

package palmares.platform.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;
import palmares.platform.chart.Series.Point;

/** Charts are well-formed SVG that a strict page can hold, and their axes have round ticks. */
class ChartTest {
  private static final String HOSTILE = "<script>\"&'\u0000\uD800</script>";
  private static final Caption CAPTION = new Caption(HOSTILE, HOSTILE, Locale.GERMANY);
  private static final int PHONE = 322;
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  static List<Chart> charts() {
    List<String> labels = List.of("2026-W01", HOSTILE, "2026-W03");
    Series one = Series.of(HOSTILE, List.of(1, 20_000, 3));
    Series two = new Series("with a gap", List.of(new Point(0, 2), new Point(2, 4)));
    Series none = new Series("none", List.of());
    Axis numbers = Axis.numbers(HOSTILE);
    return List.of(
        new LineChart(CAPTION, Axis.labels(labels), numbers, List.of(one, two, none)),
        new LineChart(CAPTION, Axis.numbers("x"), Axis.logarithmic("y"), List.of(one)),
        new LineChart(CAPTION, Axis.times(BERLIN), numbers, List.of()),
        new StepChart(CAPTION, Axis.labels(labels), numbers.reversed(), List.of(one, two)),
        new StepChart(CAPTION, Axis.times(BERLIN), numbers, List.of(one)),
        new BarChart(CAPTION, labels, numbers, List.of(one, two)),
        new BarChart(CAPTION, List.of(), numbers, List.of()));
  }

  @ParameterizedTest
  @MethodSource("charts")
  void aStrictPageCanHoldIt(Chart chart) {
    for (String svg : List.of(chart.svg(), chart.svg(PHONE), chart.file())) {
      Element root = parsed(svg).getDocumentElement();
      assertThat(root.getAttribute("role")).isEqualTo("img");
      assertThat(root.getFirstChild().getNextSibling().getTextContent())
          .isEqualTo("<script>\"&'\uFFFD\uFFFD</script>");
      assertThat(root.getElementsByTagName("script").getLength()).isZero();
      assertThat(all(root)).noneMatch(element -> element.hasAttribute("style"));
      assertThat(svg).doesNotContain("NaN", "Infinity", "null");
    }
    assertThat(parsed(chart.svg()).getElementsByTagName("style").getLength()).isZero();
    assertThat(chart.file()).startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" class=");
    assertThat(parsed(chart.file()).getElementsByTagName("style").item(0).getTextContent())
        .contains("@media screen and (prefers-color-scheme: dark)"); // never on paper
  }

  private static Document parsed(String svg) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
    } catch (SAXException | IOException | ParserConfigurationException e) {
      throw new AssertionError(svg, e);
    }
  }

  private static List<Element> all(Element root) {
    var nodes = root.getElementsByTagName("*");
    return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i)).toList();
  }

  private static List<String> texts(Chart chart, String css) {
    return all(parsed(chart.svg()).getDocumentElement()).stream()
        .filter(element -> element.getAttribute("class").equals(css))
        .map(Element::getTextContent)
        .toList();
  }

  private static List<String> tags(Chart chart, String tag, String attribute) {
    return all(parsed(chart.svg()).getDocumentElement()).stream()
        .filter(element -> element.getTagName().equals(tag))
        .map(element -> element.getAttribute(attribute))
        .toList();
  }

  private static LineChart line(Axis x, Axis y, double... values) {
    var points = new ArrayList<Point>();
    for (double value : values) {
      points.add(new Point(value, value));
    }
    return new LineChart(
        new Caption("", "", Locale.ENGLISH), x, y, List.of(new Series("a", points)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0       | 7             | 0 2 4 6 8
          0       | 1             | 0 1
          0       | 0.7           | 0.0 0.2 0.4 0.6 0.8
          -30     | 1000          | -500 0 500 1,000
          90      | 100           | 0 20 40 60 80 100
          0       | 9007199254740 | 0 2,000,000,000,000 4,000,000,000,000 6,000,000,000,000 \
                                    8,000,000,000,000 10,000,000,000,000
          """)
  void numbersHaveRoundTicks(double least, double most, String ticks) {
    assertThat(texts(line(Axis.numbers(""), Axis.numbers(""), least, most), "tick end"))
        .containsExactly(ticks.split("\\s+"));
  }

  @Test
  void numbersAreThoseOfTheLocale() {
    var chart =
        new BarChart(CAPTION, List.of("a"), Axis.numbers(""), List.of(Series.of("", List.of(9e3))));
    assertThat(texts(chart, "tick end")).contains("10.000");
  }

  @Test
  void ranksBeginAtOneOnTop() {
    Axis ranks = Axis.numbers("rank").between(1, Double.NaN).reversed();
    var chart = line(Axis.numbers(""), ranks, 1, 38);
    assertThat(texts(chart, "tick end")).containsExactly("1", "10", "20", "30", "40");
    List<String> heights = tags(chart, "circle", "cy");
    assertThat(Double.parseDouble(heights.get(0))).isLessThan(Double.parseDouble(heights.get(1)));
  }

  @Test
  void logarithmicAxesArePowersOfTen() {
    Axis axis = Axis.logarithmic("s").format(value -> value + " s");
    assertThat(texts(line(Axis.numbers(""), axis, 0.2, 300), "tick end"))
        .containsExactly("0.1 s", "1.0 s", "10.0 s", "100.0 s", "1000.0 s");
    assertThatThrownBy(() -> line(Axis.numbers(""), axis, 0).svg())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no place for 0.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2026-03-28T22:30:00Z | 2026-03-29T04:00:00Z | 29 Mar,01:00,03:00,04:00,05:00,06:00
          2026-10-24T12:00:00Z | 2026-10-25T12:00:00Z | 15:00,18:00,21:00,25 Oct,03:00,06:00,09:00,12:00
          2026-01-01T00:00:00Z | 2026-02-10T00:00:00Z | 5 Jan,12 Jan,19 Jan,26 Jan,2 Feb,9 Feb
          2025-12-31T23:00:00Z | 2026-12-31T23:00:00Z | Jan 2026,Apr 2026,Jul 2026,Oct 2026,Jan 2027
          1990-01-01T00:00:00Z | 2026-12-31T23:00:00Z | 1995,2000,2005,2010,2015,2020,2025
          2026-05-01T10:00:00Z | 2026-05-01T10:00:00Z | 12:00:00,12:00:01
          """)
  void timesHaveTicksAtRoundLocalTimes(Instant from, Instant to, String ticks) {
    var chart = line(Axis.times(BERLIN).between(from, to), Axis.numbers(""), from.toEpochMilli());
    assertThat(texts(chart, "tick middle")).containsExactly(ticks.split(","));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2026-10-24T12:00:00Z | 2026-10-26T12:00:00Z | 18:00,10月25日,06:00,12:00,18:00,10月26日,06:00,12:00
          2025-12-31T23:00:00Z | 2026-12-31T23:00:00Z | 2026年1月,2026年4月,2026年7月,2026年10月,2027年1月
          """)
  void chineseDatesNameTheMonthFirst(Instant from, Instant to, String ticks) {
    Axis x = Axis.times(BERLIN).between(from, to);
    List<Point> points = List.of(new Point(from.toEpochMilli(), 1));
    var chart =
        new LineChart(
            new Caption("", "", Locale.CHINESE),
            x,
            Axis.numbers(""),
            List.of(new Series("a", points)));
    assertThat(texts(chart, "tick middle")).containsExactly(ticks.split(","));
  }

  @Test
  void stepsHoldUntilTheNextValueAndToTheEnd() {
    Axis x = Axis.numbers("").between(0, 10);
    Axis y = Axis.numbers("").between(0, 1);
    List<Point> points = List.of(new Point(0, 0), new Point(5, 1));
    var chart = new StepChart(CAPTION, x, y, List.of(new Series("a", points)));
    assertThat(tags(chart, "path", "d")).contains("M42.4 254H369.2V28H696");
  }

  /** There are no places behind the last one, and no points in the future. */
  @Test
  void theLastValueHoldsNoFurtherThanItIsKnown() {
    Axis x = Axis.numbers("").between(0, 10);
    Axis y = Axis.numbers("").between(0, 1);
    List<Series> steps = List.of(new Series("a", List.of(new Point(0, 0), new Point(5, 1))));
    assertThat(tags(new StepChart(CAPTION, x, y, steps, 5), "path", "d"))
        .contains("M42.4 254H369.2V28H369.2");
    assertThat(tags(new StepChart(CAPTION, x, y, steps, 20), "path", "d"))
        .contains("M42.4 254H369.2V28H696");
  }

  @Test
  void linesBreakWhereALabelHasNoValue() {
    Axis labels = Axis.labels(List.of("a", "b", "c", "d"));
    List<Point> points = List.of(new Point(0, 1), new Point(2, 2), new Point(3, 2));
    List<Series> series = List.of(new Series("a", points));
    for (Chart chart :
        List.of(
            new LineChart(CAPTION, labels, Axis.numbers(""), series),
            new StepChart(CAPTION, labels, Axis.numbers(""), series))) {
      assertThat(tags(chart, "path", "d"))
          .filteredOn(path -> path.chars().filter(c -> c == 'M').count() == 2)
          .hasSize(1);
    }
  }

  @Test
  void labelsNeverTouch() {
    List<String> days = IntStream.range(0, 365).mapToObj("day %d"::formatted).toList();
    var chart = new BarChart(CAPTION, days, Axis.numbers(""), List.of());
    assertThat(texts(chart, "tick middle")).hasSizeBetween(3, 15).startsWith("day 0");
  }

  @Test
  void namesOfEqualLinesStandBelowEachOther() {
    Series a = Series.of("a", List.of(5, 5));
    Axis labels = Axis.labels(List.of("x", "y"));
    var chart =
        new LineChart(
            CAPTION,
            labels,
            Axis.numbers(""),
            List.of(a, new Series("b", a.points()), new Series("c", a.points())));
    List<Double> heights =
        all(parsed(chart.svg()).getDocumentElement()).stream()
            .filter(element -> element.getAttribute("class").startsWith("name"))
            .map(element -> Double.valueOf(element.getAttribute("y")))
            .toList();
    assertThat(heights).hasSize(3);
    assertThat(heights.get(1) - heights.get(0)).isGreaterThan(12);
    assertThat(heights.get(2) - heights.get(1)).isGreaterThan(12);
  }

  @Test
  void barsRiseFromZero() {
    var chart =
        new BarChart(
            CAPTION,
            List.of("up", "down", "none"),
            Axis.numbers(""),
            List.of(Series.of("", List.of(50, -50, 0))));
    assertThat(tags(chart, "rect", "height")).startsWith("94.2", "94.2", "0");
    assertThat(tags(chart, "rect", "y")).startsWith("46.8", "141", "141");
  }

  @Test
  void textsFitAPhone() {
    List<String> days = IntStream.range(0, 30).mapToObj("2026-10-%02d"::formatted).toList();
    Series points = Series.of("", days.stream().map(String::length).toList());
    var chart = new BarChart(CAPTION, days, Axis.numbers("points"), List.of(points));
    List<Double> places =
        all(parsed(chart.svg(PHONE)).getDocumentElement()).stream()
            .filter(element -> element.getAttribute("class").equals("tick middle"))
            .map(element -> Double.valueOf(element.getAttribute("x")))
            .toList();
    double half = days.get(0).length() * 6.6 / 2;
    assertThat(places).hasSizeBetween(2, 4).allMatch(x -> x >= half && x <= PHONE - half);
    for (int i = 1; i < places.size(); i++) {
      assertThat(places.get(i) - places.get(i - 1)).isGreaterThan(days.get(0).length() * 6.6);
    }
    assertThat(parsed(chart.svg(PHONE)).getDocumentElement().getAttribute("width"))
        .isEqualTo("" + PHONE);
  }

  /** The areas leave no gap, so that each value is found, however low its bar is. */
  @Test
  void eachValueHasATipInItsShareOfTheWidth() {
    var chart =
        new BarChart(
            new Caption("", "", Locale.ENGLISH),
            List.of("Mon", "Tue", "Wed"),
            Axis.numbers("points"),
            List.of(Series.of("now", List.of(1_000, 0, 5)), Series.of("before", List.of(7, 8, 9))));
    List<Element> tips =
        all(parsed(chart.svg()).getDocumentElement()).stream()
            .filter(element -> element.getAttribute("class").equals("tip"))
            .toList();
    assertThat(tips)
        .extracting(Element::getTextContent)
        .containsExactly(
            "Mon: 1,000 points (now)\n7 points (before)",
            "Tue: 0 points (now)\n8 points (before)",
            "Wed: 5 points (now)\n9 points (before)");
    for (int i = 1; i < tips.size(); i++) {
      assertThat(end(tips.get(i - 1)))
          .isCloseTo(Double.parseDouble(tips.get(i).getAttribute("x")), within(0.2));
    }
  }

  private static double end(Element area) {
    return Double.parseDouble(area.getAttribute("x"))
        + Double.parseDouble(area.getAttribute("width"));
  }

  @Test
  void aChartRefusesWhatItCannotShow() {
    var nine = IntStream.range(0, 9).mapToObj(i -> Series.of("s" + i, List.of(1))).toList();
    assertThatThrownBy(() -> new BarChart(CAPTION, List.of("a"), Axis.numbers(""), nine).svg())
        .hasMessageContaining("9 series are more than a chart can show");
    assertThatThrownBy(() -> new Point(Double.NaN, 1)).hasMessageContaining("cannot be drawn");
  }
}

package palmares.operations.explain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static palmares.platform.text.DisplayFormat.number;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.web.util.HtmlUtils;
import palmares.operations.explain.Explanation.CurvePoint;
import palmares.operations.explain.Explanation.Journal;
import palmares.operations.explain.Explanation.Standing;
import palmares.platform.chart.Axis;
import palmares.platform.chart.Caption;
import palmares.platform.chart.Chart;
import palmares.platform.chart.Series;
import palmares.platform.chart.Series.Point;
import palmares.platform.chart.StepChart;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Writes an explanation as one HTML page without external resources. */
public final class ExplanationPage {
  private static final String FRAME =
      resource("page.html").replace("$CHART_STYLES", resource(Chart.STYLE_SHEET));

  private final Explanation explanation;
  private final DateTimeFormatter local;
  private final Locale locale = LocaleContextHolder.getLocale();
  private final Texts said = Texts.in(locale);
  private final StringBuilder page = new StringBuilder();

  private ExplanationPage(Explanation explanation) {
    this.explanation = explanation;
    this.local = ExplanationText.local(explanation);
  }

  /** The page, in HTML. */
  public static String of(Explanation explanation) {
    var page = new ExplanationPage(explanation);
    page.head();
    page.journal();
    explanation.ends().forEach(page::standing);
    page.ties();
    page.transfers();
    page.late();
    return FRAME
        .replace("lang=\"en\"", "lang=\"%s\"".formatted(page.said.language()))
        .replace("$TITLE", text(page.said.of(ExplanationText.inPeriod(explanation))))
        .replace("$BODY", page.page.toString());
  }

  private static String resource(String name) {
    try (InputStream in = ExplanationPage.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void head() {
    var period = explanation.period();
    page.append("<h1><bdi>%s</bdi></h1>\n".formatted(text(explanation.who().member())));
    paragraph("<b>%s</b>: %s".formatted(text(period.label()), text(period.title())));
    page.append("<dl>\n");
    item("period", said.of(ExplanationText.time(explanation)));
    item("state", said.word("state", period.state()));
    item("rules", said.of(period.rules()));
    item("member", said.of(ExplanationText.who(explanation.who())));
    item("as-of", said.of(ExplanationText.asOf(explanation)));
    page.append("</dl>\n");
  }

  private void item(String name, String value) {
    page.append("<dt>%s</dt><dd>%s</dd>\n".formatted(ExplanationText.label(name), text(value)));
  }

  private void journal() {
    Journal journal = explanation.journal();
    heading(new ExplanationSentences.Events(journal.total()));
    if (journal.note() != null) {
      paragraph(text(said.of(journal.note())));
    }
    if (!journal.curve().isEmpty()) {
      chart(journal.curve());
    }
    if (journal.leftOut() > 0) {
      paragraph(text(said.of(new ExplanationSentences.LeftOut(journal.leftOut()))));
    }
    table(
        List.of("when", "what", "outcome", "#change", "#points"),
        journal.steps().stream()
            .map(
                step ->
                    List.of(
                        local.format(step.at()),
                        said.of(step.action()),
                        step.outcome(),
                        step.change() == 0 ? "" : String.format(Locale.ROOT, "%+,d", step.change()),
                        number(step.points())))
            .toList());
  }

  /** The points over the period; before the first event there is no line. */
  private void chart(List<CurvePoint> curve) {
    var period = explanation.period();
    var points = new ArrayList<Point>();
    points.add(Point.at(curve.get(0).at(), 0));
    curve.forEach(point -> points.add(Point.at(point.at(), point.points())));
    long most = curve.stream().mapToLong(CurvePoint::points).max().orElse(0);
    page.append(
        new StepChart(
                new Caption(
                    ExplanationText.label("curve"),
                    said.of(new ExplanationSentences.Most(most)),
                    locale),
                Axis.times(ZoneId.of(period.zone())).between(period.startsAt(), period.endsAt()),
                Axis.numbers(ExplanationText.label("points")),
                List.of(new Series(explanation.who().member(), points)))
            .svg());
  }

  private void standing(Standing end) {
    heading(ExplanationText.name(end));
    end.said().forEach(one -> paragraph(text(said.of(one))));
    paragraph("<b>%s</b>".formatted(text(said.of(ExplanationText.placeAndPoints(end)))));
    if (end.excluded() != null) {
      paragraph(text(said.of(new ExplanationSentences.ExcludedBy(end.excluded()))));
    }
    end.corrections()
        .forEach(why -> paragraph(text(said.of(new ExplanationSentences.CorrectedBy(why)))));
    table(
        List.of("#prize", "currency", "rule", "why"),
        end.prizes().stream()
            .map(
                prize ->
                    List.of(
                        number(prize.credits()),
                        prize.currency(),
                        prize.rule(),
                        said.of(prize.why())))
            .toList());
    Sentence nothing = ExplanationText.nothing(end);
    if (nothing != null) {
      paragraph(text(said.of(nothing)));
    }
  }

  private void ties() {
    if (!explanation.ties().near().isEmpty()) {
      heading(ExplanationText.tied(explanation.ties()));
      table(
          List.of("#place", "member", "order"),
          explanation.ties().near().stream()
              .map(tie -> List.of(number(tie.place()), tie.member(), said.of(tie.why())))
              .toList());
    }
  }

  private void transfers() {
    if (!explanation.transfers().isEmpty()) {
      heading(new ExplanationSentences.Label("transfers"));
      table(
          List.of("when", "#revision", "purpose", "rule", "#amount", "currency", "from", "to"),
          explanation.transfers().stream()
              .map(
                  one ->
                      List.of(
                          local.format(one.at()),
                          one.revision() + "",
                          said.word("word", one.purpose()),
                          one.rule(),
                          number(one.amount()),
                          one.currency(),
                          one.from(),
                          one.to()))
              .toList());
    }
  }

  private void late() {
    if (!explanation.late().isEmpty()) {
      heading(new ExplanationSentences.Label("late-events"));
      table(
          List.of("happened", "came", "event", "what", "why"),
          explanation.late().stream()
              .map(
                  one ->
                      List.of(
                          local.format(one.occurredAt()),
                          local.format(one.arrivedAt()),
                          one.id(),
                          said.of(one.action()),
                          said.list(one.why())))
              .toList());
    }
  }

  /** A header that begins with # marks a column of numbers. */
  private void table(List<String> headers, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return;
    }
    page.append("<div class=\"wide\"><table>\n<thead><tr>");
    headers.forEach(
        header ->
            page.append(
                header.startsWith("#")
                    ? "<th class=\"n\">%s</th>"
                        .formatted(ExplanationText.label(header.substring(1)))
                    : "<th>%s</th>".formatted(ExplanationText.label(header))));
    page.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      page.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        page.append(headers.get(i).startsWith("#") ? "<td class=\"n\">" : "<td>")
            .append("<bdi>" + text(row.get(i)) + "</bdi></td>");
      }
      page.append("</tr>\n");
    }
    page.append("</tbody></table></div>\n");
  }

  private void heading(Sentence heading) {
    page.append("<h2>%s</h2>\n".formatted(text(said.of(heading))));
  }

  private void paragraph(String html) {
    page.append("<p>%s</p>\n".formatted(html));
  }

  private static String text(String text) {
    return HtmlUtils.htmlEscape(text, UTF_8.name());
  }
}

package palmares.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.console.Windows.Person;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.MemberId;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Servers;
import palmares.testing.World;

/** What a person downloads by a click is what the database has, row by row. */
@ConsoleTest
class DownloadsTest {
  private static final CSVFormat CSV =
      CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
  private static final List<String> ODD = List.of("=1+1", "a,b", "\"quoted\"", "分数", "@home");

  @Autowired private World world;
  @Autowired private JdbcClient jdbc;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;

  private Period day;

  /** A line of the settled period, or a part of one that a file has. */
  private record Line(long rank, String member, long points, Instant reachedAt, long credits) {}

  @BeforeEach
  void settleABigDay() {
    day = world.open(world.board(Contest.rules()));
    var facts = new ArrayList<>(Contest.facts());
    for (int i = 0; i < 60; i++) {
      facts.add(Fact.by("member-" + i).does("invite").on("guest-" + i));
    }
    ODD.forEach(member -> facts.add(Fact.by(member).on("post")));
    world.takeAll(facts, World.ANYBODY);
    world.settle(day);
  }

  private List<Line> stored() {
    return jdbc.sql(
            """
            select rank, member, points, reached_at, credits from palmares
            where board = ? and period = ?
            order by place
            """)
        .param(day.board().value())
        .param(day.name().value())
        .query(
            (row, n) ->
                new Line(
                    row.getLong("rank"),
                    row.getString("member"),
                    row.getLong("points"),
                    row.getTimestamp("reached_at").toInstant(),
                    row.getLong("credits")))
        .list();
  }

  private Window page(Windows windows, String tab) {
    return windows
        .of(Person.VIC)
        .goTo("/console/boards/%s/periods/%s%s".formatted(day.board(), day.name(), tab));
  }

  private static List<CSVRecord> csv(Download download) throws IOException {
    try (var parser =
        CSVParser.parse(Objects.requireNonNull(download.createReadStream()), UTF_8, CSV)) {
      return parser.getRecords();
    }
  }

  /** A text that a spreadsheet would run has an apostrophe in CSV. */
  private static String unquoted(String text) {
    return text.matches("(?s)'[=+@-].*") ? text.substring(1) : text;
  }

  @Test
  void standingsAsCsvAreThoseOfTheDatabase(Windows windows) throws IOException {
    Window window = page(windows, "");
    Download file = window.download(window.named("CSV"));
    assertThat(file.suggestedFilename()).contains(day.board().value(), day.name().value());
    assertThat(csv(file))
        .extracting(
            row ->
                new Line(
                    Long.parseLong(row.get("rank")),
                    unquoted(row.get("member")),
                    Long.parseLong(row.get("points")),
                    Instant.parse(row.get("reachedAt")),
                    Long.parseLong(row.get("credits"))))
        .hasSizeGreaterThan(60)
        .isEqualTo(stored());
  }

  @Test
  void theReportOfAMemberHasItsLinesOnAllBoards(Windows windows) throws IOException {
    Window window = windows.of(Person.VIC).goTo("/console/members/member-1");
    Download file =
        window.download(window.page().locator("a[href='/api/v1/ops/members/member-1?format=csv']"));
    assertThat(csv(file))
        .extracting(row -> row.get("board") + " " + row.get("period") + " " + row.get("points"))
        .containsExactlyElementsOf(
            jdbc.sql(
                    """
                    select concat_ws(' ', board, period, points) from palmares
                    where member = 'member-1'
                    """)
                .query(String.class)
                .list());
  }

  private static List<String> rows(Window window, int column) {
    return window.page().locator("main tbody td:nth-child(%d)".formatted(column)).allInnerTexts();
  }

  @Test
  void standingsAreReadFromARankOnAndInPages(Windows windows) {
    List<Line> stored = stored();
    Window window = page(windows, "");
    List<String> members = new ArrayList<>(rows(window, 2));
    assertThat(members).hasSizeLessThan(stored.size());
    members.addAll(rows(window.click("Next page"), 2));
    assertThat(members).isEqualTo(stored.stream().map(Line::member).toList());
    Line last = stored.get(stored.size() - 1);
    long jump = last.rank() - 1; // no rank is the first line's, nor the second page's
    window.click("First page").fill("Rank", "" + jump).click("Jump");
    assertThat(Long.parseLong(rows(window, 1).get(0))).isBetween(jump, last.rank());
    assertThat(rows(window, 2))
        .isEqualTo(stored.stream().filter(line -> line.rank() >= jump).map(Line::member).toList());
  }

  @Test
  void standingsAsASpreadsheetAreThoseOfTheDatabase(Windows windows) throws IOException {
    Window window = page(windows, "");
    Download file = window.download(window.named("XLSX"));
    assertThat(file.suggestedFilename()).endsWith(".xlsx");
    try (var workbook = new ReadableWorkbook(Objects.requireNonNull(file.createReadStream()))) {
      List<Row> rows = workbook.getFirstSheet().read();
      List<String> columns = rows.get(0).stream().map(cell -> cell.getText()).toList();
      List<Line> stored = stored();
      assertThat(rows.subList(1, stored.size() + 1))
          .extracting(row -> line(row, columns))
          .isEqualTo(stored);
      assertThat(rows).hasSize(stored.size() + 2);
      assertThat(rows.get(rows.size() - 1).getCellAsNumber(columns.indexOf("credits")))
          .as("the total")
          .hasValueSatisfying(
              total ->
                  assertThat(total.longValue())
                      .isEqualTo(stored.stream().mapToLong(Line::credits).sum()));
    }
  }

  private static Line line(Row row, List<String> columns) {
    LocalDateTime reachedAt = row.getCellAsDate(columns.indexOf("reachedAt (UTC)")).orElseThrow();
    return new Line(
        number(row, columns.indexOf("rank")),
        row.getCellText(columns.indexOf("member")),
        number(row, columns.indexOf("points")),
        reachedAt.toInstant(ZoneOffset.UTC),
        number(row, columns.indexOf("credits")));
  }

  private static long number(Row row, int column) {
    return row.getCellAsNumber(column).orElseThrow().longValueExact();
  }

  private static List<String> statuses(Download file) throws IOException {
    return csv(file).stream().map(row -> row.get("member") + " " + row.get("status")).toList();
  }

  @Test
  void theExclusionsOfEachRevisionAreShownAndDownloaded(Windows windows) throws IOException {
    var terms = Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN);
    exclusions.exclude(terms, "a bot", "dan");
    amendments.prepare(day.id(), new AmendmentRequest("dan", "ann is a bot", null, Map.of()));
    Window window = page(windows, "/revisions");
    window.click("Exclusions of revision 2");
    assertThat(window.text()).contains("Revision 2 was computed", "ann");
    assertThat(statuses(window.download(window.named("CSV")))).containsExactly("ann applied");
    window.click("Revisions").click("What revision 2 changes");
    assertThat(csv(window.download(window.named("CSV"))))
        .isNotEmpty()
        .anyMatch(row -> row.get("member").equals("ann"));
    window.click("Revisions").click("Exclusions of revision 1");
    assertThat(statuses(window.download(window.named("CSV")))).containsExactly("ann added-since");
    amendments.approve(day.id(), null, "eve", "right so");
    window = page(windows, "/exclusions?revision=1");
    assertThat(statuses(window.download(window.named("CSV"))))
        .as("not those of the revision in force")
        .containsExactly("ann added-since");
    window.click("Revision 2");
    assertThat(statuses(window.download(window.named("CSV")))).containsExactly("ann applied");
    exclusions.exclude(
        new Terms(new MemberId("bob"), ExclusionLevel.HIDDEN, day.board(), null, null),
        "a bot",
        "dan");
    Window audit = page(windows, "/audit");
    assertThat(csv(audit.download(audit.named("CSV"))))
        .as("of the period, not all of the board")
        .isNotEmpty()
        .allMatch(row -> row.get("object").startsWith(day.label()));
  }

  @Test
  void filesHaveTheFilterOfTheirPage(Windows windows) throws IOException {
    Period other = world.open(world.board(Contest.rules()));
    world.take(Fact.by("ann"));
    for (Period period : List.of(day, other)) {
      exclusions.exclude(
          new Terms(new MemberId("ann"), ExclusionLevel.HIDDEN, period.board(), null, null),
          "a bot",
          "dan");
    }
    Window window = windows.of(Person.VIC);
    window.goTo("/console/audit?board=" + other.board());
    assertThat(csv(window.download(window.named("CSV"))))
        .isNotEmpty()
        .allMatch(row -> row.get("object").startsWith(other.board().value()));
    window.goTo("/console/memory?board=" + other.board());
    assertThat(csv(window.download(window.named("CSV"))))
        .isNotEmpty()
        .allMatch(row -> row.get("board").equals(other.board().value()));
    servers.sql(
        """
        insert into outbox_target (name, address, facts, since, fact)
        select name, 'https://shop.example/facts', '{period.settled}', '2026-11-01', 0
        from (values ('one'), ('two')) target (name)
        """);
    servers.sql(
        """
        insert into delivery_attempt (
          target, started_at, took_ms, batch, facts, answer, failure, parked)
        values ('one', '2026-11-18T08:00Z', 84, 'b', 3, 204, null, false),
          ('one', '2026-11-18T09:00Z', 31, 'b', 3, 500,
            '{"code": "delivery.answered", "values": {"answer": 500}, "text": ""}', false),
          ('two', '2026-11-18T09:00Z', 31, 'b', 3, 500,
            '{"code": "delivery.answered", "values": {"answer": 500}, "text": ""}', false)
        """);
    window.goTo("/console/deliveries?target=one&failed=true");
    assertThat(csv(window.download(window.named("CSV"))))
        .singleElement()
        .matches(row -> row.get("target").equals("one") && row.get("answer").equals("500"));
  }

  @Test
  void transfersAsCsvAreThoseOfTheLedger(Windows windows) throws IOException {
    Window window = page(windows, "/transfers");
    assertThat(csv(window.download(window.named("CSV"))))
        .extracting(row -> row.get("rule") + " " + row.get("amount"))
        .isNotEmpty()
        .isEqualTo(
            jdbc.sql(
                    """
                    select rule || ' ' || amount from period_transfers
                    where board = ? and period = ?
                    order by rule
                    """)
                .param(day.board().value())
                .param(day.name().value())
                .query(String.class)
                .list());
  }
}

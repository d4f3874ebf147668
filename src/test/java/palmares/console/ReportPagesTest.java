package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.math.BigDecimal;
import java.time.YearMonth;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.console.Windows.Person;
import palmares.operations.report.PayoutReport;
import palmares.operations.report.PayoutReport.Payout;
import palmares.operations.report.PayoutReport.PayoutSum;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;

/** Reports as pages have the lines and columns of their files. */
@ConsoleTest
class ReportPagesTest {
  /** The tables that scroll, or that are wider than the paper. */
  private static final String CUT =
      """
      tables => tables
        .filter(table => getComputedStyle(table.parentElement).overflowX !== "visible"
          || table.getBoundingClientRect().right > document.documentElement.clientWidth)
        .map(table => table.outerHTML)
      """;

  private static final String POLICY = "content-security-policy";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;

  private Board board;
  private Period day;

  @BeforeEach
  void settleADay() {
    board = world.board(Contest.rules());
    day = world.open(board);
    world.take(Contest.facts());
    world.settle(day);
  }

  private static List<String> lines(Window window, String file) {
    String text = (String) window.page().evaluate("async path => (await fetch(path)).text()", file);
    return text.lines().toList();
  }

  private static List<String> heads(Window window) {
    return window.page().locator("main thead th").allInnerTexts();
  }

  private static List<String> firstCells(Window window) {
    return window.page().locator("main tbody td:first-child").allInnerTexts();
  }

  @Test
  void thePageOfTheApiWorksUnderItsPolicy(Windows windows) {
    Window window = windows.open();
    Page page = window.page();
    String policy = Objects.requireNonNull(page.navigate("/docs")).headers().get(POLICY);
    assertThat(policy).contains("default-src 'none'").doesNotContain("unsafe");
    page.locator(".opblock-summary-control").first().click();
    page.locator(".opblock-body").first().waitFor();
    window.assertFaultless();
  }

  @Test
  void theLongestIdFitsOnItsPageAndThatOfAPeriod(Windows windows) {
    String id = "m".repeat(MemberId.MAX_BYTES);
    Window ann = windows.of(Person.ANN);
    for (String path :
        List.of(
            "/console/members/" + id,
            "/console/boards/%s/periods/%s?member=%s".formatted(board.id(), day.name(), id),
            "/console/verbs/exclude?member=" + id)) {
      assertThat(ann.goTo(path).text()).contains(id);
      ann.phone().desk();
    }
  }

  @Test
  void aPartThatIsReplacedByItsLinkHasTheFocusOfTheLink(Windows windows) {
    Window ann = windows.of(Person.ANN);
    ann.goTo("/console/boards/%s/periods/%s/estimate".formatted(board.id(), day.name()));
    ann.page().locator("#estimate a").press("Enter");
    ann.page().locator("#estimate:focus").waitFor();
  }

  @Test
  void otherRulesAreComparedWithWhatWasPaid(Windows windows) {
    Window ann = windows.of(Person.ANN);
    ann.goTo("/console/boards/%s/replay".formatted(board.id()));
    String file = "Board file with other rewards and payout";
    String rules = Contest.rules().with("rewards: [ { rule: podium, ranks: { 1: 7 } } ]").text();
    ann.fill(file, rules).click("Compare");
    assertThat(ann.text()).contains("1 period with", "By rule", "each-invite", "1,680");
    ann.expecting(400).fill(file, "title: Race").click("Compare");
    assertThat(ann.text()).contains("period");
  }

  @Test
  void aPayoutPageHasTheLinesOfItsFileAndNamesOtherFiles(Windows windows) {
    Window ann = windows.of(Person.ANN);
    String month = world.now().toString().substring(0, 7);
    for (String path :
        List.of(
            "/boards/%s/periods/%s/payout".formatted(board.id(), day.name()),
            "/boards/%s/payout".formatted(board.id()),
            "/months/%s/payout".formatted(month))) {
      ann.goTo("/console" + path);
      assertThat(records.number("select count(*) from payout_file"))
          .as("a page is no file")
          .isZero();
      List<String> file = lines(ann, "/api/v1/ops" + path + "?format=csv");
      assertThat(heads(ann))
          .as("nothing is owed, written off or restored, which has columns in the file alone")
          .hasSize(file.get(0).split(",").length - 3);
      assertThat(firstCells(ann))
          .isNotEmpty()
          .containsExactlyElementsOf(
              file.stream().skip(1).map(line -> line.substring(0, line.indexOf(','))).toList());
      assertThat(ann.goTo("/console" + path).text()).doesNotContain("Pay only one");
      servers.sql("delete from payout_file");
    }
    lines(ann, "/api/v1/ops/months/%s/payout?format=csv".formatted(month));
    ann.goTo("/console/boards/%s/payout".formatted(board.id()));
    assertThat(ann.text())
        .contains("Pay only one of this file and " + month + "[UTC]:", "ann made that one")
        .doesNotContain("more files");
    servers.sql(
        """
        insert into payout_file (reference, outcomes, made_by, made_at)
        select 'file-' || n, outcomes, made_by, made_at
        from payout_file, generate_series(1, 7) n
        """);
    ann.goTo("/console/boards/%s/payout".formatted(board.id()));
    assertThat(ann.text()).contains("3 more files have some of its posted revisions, too.");
    servers.sql(
        """
        insert into payout_file (reference, outcomes, made_by, made_at)
        select '%s/..', array[n], 'bob', made_at
        from payout_file, generate_series(-1000, -999) n
        where reference like '%%UTC]'
        """
            .formatted(board.id()));
    ann.goTo("/console/boards/%s/payout".formatted(board.id()));
    assertThat(ann.text())
        .contains("Pay only what none of the 2 earlier files has: bob made the latest with 0 of");
  }

  private static List<String> notes(Window window, String file) {
    String notes =
        (String)
            window
                .page()
                .evaluate(
                    "async path => (await fetch(path)).headers.get('Palmares-Note') ?? ''", file);
    return List.of(notes.replace("%20", " ").split(", "));
  }

  @Test
  void aPayoutUnderReferencesWhoseSumsStillGrowSaysSo(Windows windows) {
    Window ann = windows.of(Person.ANN);
    String month = world.now().toString().substring(0, 7);
    String next = YearMonth.parse(month).plusMonths(1).toString();
    String before = "?to=" + day.slot().endsAt();
    for (String path :
        List.of("/months/%s/payout".formatted(month), "/boards/%s/payout".formatted(board.id()))) {
      assertThat(ann.goTo("/console" + path).text()).contains("Not over");
      assertThat(notes(ann, "/api/v1/ops" + path + "?format=csv"))
          .as(path)
          .anyMatch(note -> note.contains("still grow"));
    }
    for (String path :
        List.of(
            "/boards/%s/payout%s".formatted(board.id(), before),
            "/boards/%s/periods/%s/payout".formatted(board.id(), day.name()))) {
      assertThat(ann.goTo("/console" + path).text()).doesNotContain("Not over");
    }
    assertThat(ann.goTo("/console/months/%s/payout".formatted(next)).text()).contains("Not over");
    world.open(board);
    String open = "/console/boards/%s/payout?to=%s".formatted(board.id(), world.now());
    assertThat(ann.goTo(open).text()).as("the open day starts in the range").contains("Not over");
  }

  @Test
  void reportsArePrintedWithoutMenusAndWithWholeTables(Windows windows) {
    Window ann = windows.of(Person.ANN);
    String month = world.now().toString().substring(0, 7);
    for (String path :
        List.of(
            "/boards/%s/report".formatted(board.id()),
            "/months/" + month,
            "/boards/%s/periods/%s/payout".formatted(board.id(), day.name()))) {
      Page paper = ann.goTo("/console" + path).printed().page();
      assertThat(paper.locator("header, form, button, .downloads").all())
          .as(path)
          .isNotEmpty()
          .noneMatch(Locator::isVisible);
      Locator tables = paper.locator("main table");
      assertThat(tables.all()).as(path).isNotEmpty().allMatch(Locator::isVisible);
      assertThat((List<?>) tables.evaluateAll(CUT)).as("what is cut of %s", path).isEmpty();
      ann.screen();
    }
  }

  @Test
  void whatIsNoMonthOrCursorIsRefused(Windows windows) {
    Window ann = windows.of(Person.ANN).expecting(400);
    for (String path :
        List.of(
            "/months/+999999999-12",
            "/months/0000-12",
            "/months/+999999999-12/payout",
            "/boards/%s/payout?after=AApY".formatted(board.id()), // a currency with a NUL
            "/boards/%s/payout?after=nope!".formatted(board.id()),
            "/boards/%s/report?after=5".formatted(board.id()))) {
      ann.goTo("/console" + path);
      assertThat(ann.status()).as(path).isEqualTo(400);
    }
  }

  @Test
  void aPayoutOfTooManyTransfersIsNotShownInPages() {
    var sum = new PayoutSum("credits", BigDecimal.valueOf(250_000), BigDecimal.TEN, BigDecimal.ONE);
    Payout payout = new Payout("a", List.of(1));
    assertThat(PayoutReport.isWholeOnly(payout, List.of(sum, sum))).isFalse();
    assertThat(PayoutReport.isWholeOnly(payout, List.of(sum, sum, sum))).isTrue();
  }

  @Test
  void aLongRangeHasPagesAndItsTotalsOnTheFirst(Windows windows) {
    for (int i = 0; i < 31; i++) {
      Period next = world.open(board);
      world.take(Fact.by("ann").on("post-" + i).to(board));
      world.settle(next);
    }
    Window ann = windows.of(Person.ANN);
    ann.goTo("/console/boards/%s/report?top=1".formatted(board.id()));
    assertThat(firstCells(ann)).hasSize(31).contains(day.name().value());
    assertThat(ann.page().locator("dl.facts").innerText()).contains("32");
    assertThat(heads(ann)).contains("Award: podium");
    List<String> first = firstCells(ann);
    ann.click("Next page");
    assertThat(firstCells(ann)).hasSize(1).doesNotContainAnyElementsOf(first);
    assertThat(ann.named("Next page").count()).isZero();
  }

  @Test
  void aRangeShowsTheFirstPlacesWithTheColumnsOfItsFile(Windows windows) {
    Window ann = windows.of(Person.ANN).goTo("/console/boards/" + board.id());
    ann.click(
        ann.page().locator("form[action$='/files/report'] button[value=page]:not([formaction])"));
    assertThat(ann.path()).isEqualTo("/console/boards/%s/report".formatted(board.id()));
    List<String> file = lines(ann, "/api/v1/ops/boards/%s/report?format=csv".formatted(board.id()));
    assertThat(firstCells(ann)).hasSize(file.size() - 1).containsOnly(day.name().value());
    assertThat(heads(ann).size()).isLessThanOrEqualTo(file.get(0).split(",").length);
    ann.fill("Places", "2").click("Show");
    assertThat(firstCells(ann)).hasSize(2);
    ann.fill("From", "2030-01-01").click("Show");
    assertThat(ann.text()).contains("No settled period in this range.");
    ann.expecting(400).goTo("/console/boards/%s/report?from=soon".formatted(board.id()));
    assertThat(ann.text()).contains("soon");
  }

  @Test
  void theResultsOfABoardWithoutAFileAreStillThere(Windows windows) {
    world.useSampleBoards();
    Window ann = windows.of(Person.ANN).goTo("/console/members/ann");
    assertThat(ann.text()).contains(board.title(), "its board file was removed", "1,040");
    ann.goTo("/console/members/ann/boards/" + board.id());
    assertThat(firstCells(ann)).containsExactly(day.name().value());
  }
}

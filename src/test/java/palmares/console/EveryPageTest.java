package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.LocatorOptions;
import java.io.StringReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.util.HtmlUtils;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.console.Windows.Look;
import palmares.console.Windows.Person;
import palmares.demo.Demo;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.batches.BatchRunner;
import palmares.operations.batches.Batches;
import palmares.operations.exclusions.ExclusionImport;
import palmares.operations.exclusions.ExclusionImport.Unknown;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.NamedLists;
import palmares.platform.nodes.Nodes;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.Sweep;
import palmares.settlement.schedule.NightlyVerification;
import palmares.testing.Acts;
import palmares.testing.Browser;
import palmares.testing.Browser.Page;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;

/**
 * Every page after the demo's month is sound in light and dark, at a desk and on a phone, is all
 * Chinese in Chinese, and all its links lead somewhere. With {@code -Dtests.screenshots=FOLDER}
 * images of all pages are written there, in light, in dark, and as a phone shows them.
 */
@ConsoleTest
class EveryPageTest {
  private static final String WEEK = "/console/boards/invites/periods/2026-W43";
  private static final int LINKS_OF_A_KIND = 2;
  private static final Pattern RAW_TIME = Pattern.compile("\\dT\\d\\d:\\S*Z");

  /** A part of a page that is loaded at once. */
  private static final Pattern LOADED =
      Pattern.compile("hx-get=\"([^\"]*)\"[^>]*hx-trigger=\"load\"");

  private static final Pattern NO_TEXT =
      Pattern.compile("(?s)<(script|style|template|textarea)\\b.*?</\\1>|<[^>]*>");

  private static final Pattern CHINESE = Pattern.compile("\\p{IsHan}");
  private static final String LATE = "/console/boards/commits-weekly/periods/2026-W43/late-events";
  private static final Path IMAGES = Path.of("src", "docs", "images");

  /** Pages without an image, as they look like others. */
  private static final Set<String> WITHOUT_IMAGE =
      Set.of(
          "found",
          "payout-of-month",
          "payout-of-period",
          "results",
          "me",
          "create-own-key",
          "batch-form",
          "create-list",
          "add-to-list",
          "remove-from-list",
          "restart",
          "wallet",
          "reconcile",
          "resend",
          "return-refused",
          "accept-findings",
          "withheld",
          "release-withheld",
          "refuse-withheld",
          "replay");

  private static final Set<String> SHOWN = new TreeSet<>();

  /** Images of a lower part of a page: the name of the image, of the page, and its heading. */
  private static final List<List<String>> PARTS =
      List.of(
          List.of("period-plots", "period", "Points and prizes by place"),
          List.of("board-rules", "board", "Rules"),
          List.of("member-statement", "member", "Statement"));

  private static final Pattern ENGLISH =
      Pattern.compile("(?<![\\w./:@-])[A-Za-z][a-z']+(?: [a-z][a-z']*){2,}(?![\\w./:@-])");

  /** What people have written, what was stored then, and errors of other systems. */
  private static final Pattern OF_PEOPLE =
      Pattern.compile(
          "two invitations were counted late|out of all results|works for the shop|a bot farm"
              + "|invites bots|accounts of programs|tests the shop|left the shop long ago"
              + "|a suspicion|could not extend file: No space left on device"
              + "|no answer within 10000 ms|it answered 500|writer on all boards"
              + "|a late guest|(?:guest|article) of annie");

  /** How many charts the pages have. */
  private static final Map<String, Integer> CHARTS =
      Map.of("period", 2, "board", 2, "member", 7, "explanation", 1);

  @Autowired private Sweep sweep;
  @Autowired private DuePeriods duePeriods;
  @Autowired private ClosingQueue queue;
  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private SettableClock clock;
  @Autowired private ApiKeys keys;
  @Autowired private Catalogue catalogue;
  @Autowired private Amendments amendments;
  @Autowired private Exclusions exclusions;
  @Autowired private Batches batches;
  @Autowired private Acts acts;
  @Autowired private BatchRunner runner;
  @Autowired private NightlyVerification nightly;
  @Autowired private Nodes nodes;
  @LocalServerPort private int port;

  @Autowired private NamedLists lists;
  @Autowired private ExclusionImport imports;

  private long batch;

  private Board board(String id) {
    return catalogue.find(new BoardId(id)).orElseThrow();
  }

  private void playAMonth() {
    world.useSampleBoards();
    world.now(Demo.begin());
    String key =
        keys.create(
            new NewKey("demo", Set.of(Role.WRITER, Role.VIEWER), Set.of(), null), "tester", "test");
    new Demo(clock, sweep, duePeriods, queue, URI.create("http://localhost:" + port), key)
        .play(this::excludeATeam);
  }

  /** Two members that may not win are known before the end of a week, one of them wrongly. */
  private void excludeATeam(LocalDate day) {
    if (day.equals(LocalDate.of(2026, 10, 20))) {
      for (String member : List.of("evelyn", "karen")) {
        exclude(member, ExclusionLevel.NO_PRIZE, "works for the shop");
      }
      world.take(commit("alan"));
    }
  }

  private Fact commit(String member) {
    return Fact.by(member).does("commit").at(world.now()).to(board("commits-weekly"));
  }

  private Exclusion exclude(String member, ExclusionLevel level, String reason) {
    return exclusions.exclude(Terms.always(new MemberId(member), level), reason, "ann");
  }

  /** A night after which there is something of each kind to do. */
  private void haveABadNight() {
    clock.run();
    Period week = world.period(board("invites"), "2026-W43");
    amendments.prepare(
        week.id(),
        new AmendmentRequest(
            "ann", "two invitations were counted late", null, Map.of(new MemberId("annie"), 900L)));
    Exclusion bot = exclude("tim", ExclusionLevel.HIDDEN, "a bot farm");
    batch = acts.amend(new TreeSet<>(Set.of(bot.id())), "ann", "out of all results").id();
    runner.run(batch, item -> true);
    exclude("grace", ExclusionLevel.UNRANKED, "invites bots");
    lists.create("bots", "ann", "accounts of programs");
    imports.exclude(
        new StringReader(
            "member,level,reason\ntim,hidden,a bot farm\nvera,no-prize,tests the shop\n"),
        "bots",
        Unknown.ALLOWED,
        "ann");
    exclusions.page(new MemberId("karen"), null, false, null, 1).stream()
        .map(Exclusion::id)
        .forEach(id -> exclusions.lift(id, "left the shop long ago", "ann"));
    servers.sql(
        """
        insert into outbox_target (
          name, address, facts, since, fact, delivered, delivered_at, failures, failing_since,
          failure, parked_at)
        values ('webhook', 'https://shop.example/facts', '{period.settled}', '2026-10-01', 0, 412,
          '2026-10-29T08:00Z', 9, '2026-10-29T09:00Z',
          '{"code": "delivery.answered", "values": {"answer": 500}, "text": ""}',
          '2026-11-01T09:00Z')
        """);
    servers.sql(
        """
        insert into delivery_attempt (
          target, started_at, took_ms, batch, facts, answer, failure, parked)
        select 'webhook', at, took, 'facts_412_0_3.settled', 3, answer, failure::jsonb,
          failure is not null
          and at >= '2026-11-01' from (values
          (timestamptz '2026-10-29T08:00Z', 84, 204, null),
          ('2026-10-29T09:00Z', 10004, null,
            '{"code": "delivery.no-answer", "values": {"millis": 10000}, "text": ""}'),
          ('2026-10-29T09:00:05Z', 31, 500,
            '{"code": "delivery.answered", "values": {"answer": 500}, "text": ""}'),
          ('2026-11-01T09:00Z', 12, 500,
            '{"code": "delivery.answered", "values": {"answer": 500}, "text": ""}'))
          attempt (at, took, answer, failure)
        """);
    servers.sql(
        """
        insert into wallet_finding (kind, award_id, amount, received, message, found_at)
        values
          ('unawarded', 'shop/voucher-1', null, 7, '{"code": "wallet.unawarded", "values": {},
            "text": ""}', '2026-11-01T09:00Z'),
          ('answer', 'facts_412', null, null, '{"code": "wallet.long-answer", "values":
            {"bytes": 4194304}, "text": ""}', '2026-11-01T09:30Z')
        """);
    world.take(commit("emmy").named("late-commit").at(Demo.begin().plus(Duration.ofDays(20))));
    playAMorning();
    Instant ended = Instant.parse("2026-10-24T10:00:00Z");
    world.take(List.of(Fact.by("annie").does("invite").on("a late guest").at(ended)));
    Period day = world.open(board("activity-daily"));
    world.now(Objects.requireNonNull(day.closesAt()));
    clock.run();
    world.close(day, EveryPageTest::failToPay);
    servers.sql("update period set retry_at = retry_at + interval '1 day' where failures > 0");
    world.pass(Duration.ofHours(12));
    clock.run();
    world.sweep();
    nightly.verifyIfDue();
    playAMorning();
    nodes.swept();
  }

  private static void failToPay(String step) {
    if (step.equals("pay")) {
      throw new IllegalStateException("could not extend file: No space left on device");
    }
  }

  private void playAMorning() {
    List<String> members =
        List.of("grace", "alan", "emmy", "vera", "annie", "lise", "yuan", "john");
    for (int i = 0; i < members.size(); i++) {
      Fact fact = Fact.by(members.get(i));
      world.pass(Duration.ofMinutes(7));
      world.take(
          List.of(
              fact.does("publish").on("article of " + fact.member()),
              Fact.by(fact.member()).does("comment").times(members.size() - i),
              Fact.by(fact.member()).does("coin").times(20 - i),
              Fact.by(fact.member()).does("invite").on("guest of " + fact.member())));
    }
  }

  /** The pages that a viewer can see, by their names. */
  private Map<String, String> pages() {
    var pages = new LinkedHashMap<String, String>();
    pages.put("inbox", "/console");
    pages.put("boards", "/console/boards");
    pages.put("grid", "/console/grid");
    pages.put("board", "/console/boards/invites");
    pages.put("period", WEEK);
    pages.put("period-live", "/console/boards/invites/periods/2026-W45");
    pages.put("period-failed", "/console/boards/activity-daily/periods/2026-11-01");
    pages.put("search", WEEK + "?member=annie");
    pages.put("rank", WEEK + "?rank=9");
    PeriodTabs.TABS.forEach(tab -> pages.put(tab, WEEK + "/" + tab));
    pages.put("late-events", LATE);
    pages.put("differences", WEEK + "/revisions?revision=2");
    pages.put("explanation", WEEK + "/members/annie");
    pages.put("member", "/console/members/annie");
    pages.put("members", "/console/members");
    pages.put("found", "/console/find?member=a");
    pages.put("ledger", "/console/ledger?month=2026-10");
    pages.put("report", "/console/boards/invites/report?from=2026-10-05&to=2026-11-01&top=3");
    pages.put("month", "/console/months/2026-10");
    pages.put("payout", "/console/boards/invites/payout");
    pages.put("payout-of-month", "/console/months/2026-10/payout");
    pages.put("payout-of-period", WEEK + "/payout");
    pages.put("results", "/console/members/annie/boards/invites");
    pages.put("account", "/console/ledger/rewards:invites?kind=house");
    pages.put("audit-log", "/console/audit");
    pages.put("deliveries", "/console/deliveries");
    pages.put("wallet", "/console/wallet");
    pages.put("reconcile", "/console/verbs/reconcile");
    pages.put("resend", "/console/verbs/resend?kind=missing");
    pages.put("return-refused", "/console/verbs/return-refused");
    pages.put("accept-findings", "/console/verbs/accept-findings?kind=twice");
    pages.put("release-withheld", "/console/verbs/release-withheld?board=invites&period=2026-W43");
    pages.put("refuse-withheld", "/console/verbs/refuse-withheld?board=invites&period=2026-W43");
    pages.put("replay", "/console/boards/invites/replay");
    pages.put("memory", "/console/memory");
    pages.put("verification", "/console/verification");
    pages.put("tasks", "/console/tasks");
    pages.put("batch", "/console/tasks/" + batch);
    pages.put("me", "/console/me");
    pages.put("create-own-key", "/console/verbs/create-own-key");
    pages.put("password", "/console/password");
    pages.put("amend", "/console/verbs/amend?board=invites&period=2026-W42");
    pages.put("approve", "/console/verbs/approve?board=invites&period=2026-W43&revision=2");
    pages.put("exclude", "/console/verbs/exclude?member=annie&level=hidden");
    pages.put("batch-form", "/console/verbs/batch");
    pages.put("exclude-file", "/console/verbs/exclude-file");
    pages.put("create-list", "/console/verbs/create-list");
    pages.put("list", "/console/lists/bots");
    pages.put("add-to-list", "/console/verbs/add-to-list?list=bots");
    pages.put("remove-from-list", "/console/verbs/remove-from-list?list=bots&member=tim");
    pages.put("restart", "/console/verbs/restart?board=activity-daily&period=2026-11-01");
    pages.put("approve-batch", "/console/verbs/approve-batch?id=" + batch);
    return pages;
  }

  @Test
  void everyPageIsSound(Windows windows) {
    playAMonth();
    haveABadNight();
    Window ann = windows.of(Person.ANN);
    ann.goTo("/console/verbs/hold?board=invites&period=2026-W45");
    ann.fill("Reason", "a suspicion").click("Hold it");
    show("task", ann);
    var links = new TreeSet<String>();
    pages()
        .forEach(
            (name, path) -> {
              show(name, ann.read(path));
              assertThat(ann.textNow()).as(path).doesNotContainPattern(RAW_TIME);
              assertThat(ann.count("figure.plot .desk > svg"))
                  .as("charts of %s", path)
                  .isEqualTo(CHARTS.getOrDefault(name, 0));
              links.addAll(ann.links());
            });
    show("problem", ann.expecting(404).read("/console/boards/nope"));
    show("nobody", ann.findMember("zzz"));
    Window ada = windows.of(Person.ADA);
    show("people", ada.read("/console/people"));
    show("forget", ada.read("/console/verbs/forget"));
    Window somebody = windows.open();
    show("sign-in", somebody.read("/console/sign-in"));
    show("public", somebody.read("/console/public/invites?period=2026-W43"));
    var shown = Set.copyOf(ann.requested());
    assertThat(
            ann.broken(
                someOfEachKind(links).stream()
                    .filter(link -> !shown.contains("http://localhost:" + port + link))
                    .toList()))
        .isEmpty();

    assertThat(SHOWN)
        .filteredOn(name -> !Files.exists(IMAGES.resolve(name + "-light.png")))
        .as("pages without an image")
        .containsExactlyInAnyOrderElementsOf(WITHOUT_IMAGE);
    assertPagesAreChinese();
    Window chinese = windows.of(Person.ANN, Look.CHINESE);
    chinese.read(WEEK).searchedWhole().read("/console/verbs/amend?board=invites&period=2026-W42");
    chinese.searchedWhole();
    assertThat(chinese.read("/console/boards/invites").text())
        .contains("按名次发放", "每周（从星期一开始）")
        .doesNotContain("by rank", "after its end");
    assertThat(chinese.read("/console/audit").text()).contains("编制更正").doesNotContain("amend");
    assertThat(chinese.read("/console/tasks").text()).containsPattern("\\d\\d 已完成");
    assertThat(chinese.expecting(404).read("/console/boards/nope").text()).contains("没有该榜单");
  }

  /** Read without Chromium, which takes most of the time of a page. */
  private void assertPagesAreChinese() {
    var ann = new Browser(port).in("zh-CN");
    assertThat(ann.signIn(Person.ANN.id(), Windows.PASSWORD).status()).isEqualTo(200);
    var english = new TreeSet<String>();
    for (String path : pages().values()) {
      String text = text(ann, path);
      assertThat(text)
          .as(path)
          .containsPattern(CHINESE)
          .doesNotContainPattern(RAW_TIME)
          .doesNotContain("??");
      ENGLISH
          .matcher(withoutTextsOfPeople(text))
          .results()
          .forEach(words -> english.add(words.group()));
    }
    assertThat(english).as("English on Chinese pages").isEmpty();
  }

  /** The text of a page without the menu, and of the parts that it loads. */
  private static String text(Browser person, String path) {
    Page page = person.get(path);
    assertThat(page.status()).as(path).isEqualTo(200);
    String html = page.response().body();
    String main = html.substring(html.indexOf("<main"), html.indexOf("</main>"));
    String parts =
        LOADED
            .matcher(main)
            .results()
            .map(part -> HtmlUtils.htmlUnescape(part.group(1)))
            .map(part -> person.get(part).response().body())
            .collect(Collectors.joining());
    return HtmlUtils.htmlUnescape(NO_TEXT.matcher(main + parts).replaceAll("\n"));
  }

  @Test
  void changesOfClocksAndTheZoneOfTheViewerAreMarked(Windows windows) {
    world.now(Instant.parse("2026-10-24T10:00:00Z"));
    Board berlin = world.board(Rules.day().with("zone: Europe/Berlin"));
    Board shanghai = world.board(Rules.day().with("zone: Asia/Shanghai"));
    world.open(berlin);
    world.open(shanghai);
    Window vic = windows.of(Person.VIC).goTo("/console/boards/" + berlin.id());
    Locator marked = vic.page().locator("tr", withText("clocks change"));
    assertThat(marked.allInnerTexts()).singleElement().asString().contains("2026-10-25");
    vic.goTo("/console/boards/" + shanghai.id());
    assertThat(marked.count()).isZero();
    vic.goTo("/console/boards");
    assertThat(times(vic, shanghai))
        .satisfiesExactly(
            there -> assertThat(there).endsWith("Asia/Shanghai"),
            here -> assertThat(here).containsPattern("18:\\d\\d").endsWith("your time"));
    assertThat(times(vic, berlin)).singleElement().asString().endsWith("Europe/Berlin");
  }

  private static LocatorOptions withText(String text) {
    return new LocatorOptions().setHasText(text);
  }

  private static List<String> times(Window window, Board board) {
    return window
        .page()
        .locator("tr", withText(board.id().value()))
        .locator("td:nth-child(2) .when:visible")
        .allInnerTexts();
  }

  private String withoutTextsOfPeople(String text) {
    String rest = OF_PEOPLE.matcher(text).replaceAll("…");
    for (Board board : catalogue.all()) {
      rest = rest.replace(board.title(), "…");
    }
    return rest;
  }

  /** A few links of each kind; all of a kind are written by one template. */
  private static List<String> someOfEachKind(Collection<String> links) {
    var kinds = new HashMap<String, Integer>();
    return links.stream()
        .filter(link -> kinds.merge(kind(link), 1, Integer::sum) <= LINKS_OF_A_KIND)
        .toList();
  }

  private static String kind(String link) {
    return link.replaceAll("(boards|periods|members|months|ledger|tasks)/[^/?]+", "$1/")
        .replaceAll("=[^&]*", "");
  }

  private static void show(String name, Window window) {
    SHOWN.add(name);
    image(name + "-light", window.searchedWhole());
    parts(name, "-light", window);
    image(name + "-dark", window.dark());
    parts(name, "-dark", window);
    image(name + "-phone", window.light().phone());
    window.desk();
  }

  private static void parts(String page, String colours, Window window) {
    String documents = System.getProperty("tests.screenshots");
    for (List<String> part : PARTS) {
      if (part.get(1).equals(page)) {
        if (documents != null) {
          window.screenshotFrom(part.get(2), Path.of(documents, part.get(0) + colours + ".png"));
        }
      }
    }
  }

  private static void image(String name, Window window) {
    String documents = System.getProperty("tests.screenshots");
    if (documents != null) {
      window.screenshot(Path.of(documents, name + ".png"));
    }
  }
}

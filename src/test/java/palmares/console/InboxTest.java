package palmares.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.LocatorOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.api.ops.InstallationResource;
import palmares.api.ops.PageRequest;
import palmares.console.Windows.Person;
import palmares.live.board.LiveKeys;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.batches.Batch;
import palmares.operations.batches.BatchRunner;
import palmares.operations.batches.Batches;
import palmares.operations.batches.PeriodRange;
import palmares.operations.inbox.InboxItem;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.PeriodTimeline;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.schedule.NightlyVerification;
import palmares.testing.Acts;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;

/** In the morning, the inbox says what needs a person, and leads to what helps. */
@ConsoleTest
class InboxTest {
  private static final long LOCK = 16;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private NightlyVerification nightly;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private Batches batches;
  @Autowired private Acts acts;
  @Autowired private BatchRunner runner;
  @Autowired private InstallationResource installation;
  @Autowired private InboxCount count;
  @Autowired private PeriodTimeline timeline;

  @AfterEach
  void noOutageOutlivesItsTest() {
    Outage.end(servers);
  }

  private Period played(Rules rules) {
    Board board = world.board(rules);
    Period period = world.open(board);
    world.takeAll(
        Contest.facts().stream().map(fact -> fact.to(board).at(world.now())).toList(),
        World.ANYBODY);
    return period;
  }

  private Period failed() {
    Period period = played(Contest.rules());
    Outage.refuse(servers);
    world.close(period);
    return period;
  }

  @Test
  void anEmptyInboxSaysWhatClosesNext(Windows windows) {
    Period period = played(Contest.rules());
    windows.add(Person.ANN);
    Window window = windows.open();
    window.goTo("/console");
    assertThat(window.path()).isEqualTo("/console/sign-in");
    window.expecting(401).fill("Name", "ann").fill("Password", "wrong password").click("Sign in");
    assertThat(window.text()).contains("The name or the password is wrong, or ");
    window.searchedWhole().dark().light();
    window.fill("Password", Windows.PASSWORD).click("Sign in");
    assertThat(window.path()).isEqualTo("/console");
    assertThat(window.text())
        .contains("Nothing needs you. Next closing 00:10, %s.".formatted(period.label()))
        .contains("2026-11-21 00:10 UTC, 2026-11-21 01:10 your time")
        .containsPattern("in 14 h (10|9) min"); // the page has counted a second down
  }

  @Test
  void theNextClosingBetweenTwoSeasonsIsThatOfTheOneToCome(Windows windows) {
    Board cup =
        world.board(
            Rules.of("seasons")
                .with(
                    """
                    seasons:
                      - { name: autumn, from: 2026-11-01, to: 2026-11-20 }
                      - { name: winter, from: 2026-12-01, to: 2026-12-31 }
                    """));
    Board later =
        world.board(
            Rules.of("seasons")
                .with("seasons: [{ name: long, from: 2026-11-01, to: 2027-02-28 }]"));
    world.open(later);
    world.settle(world.open(cup));
    timeline.prepare(cup);
    assertThat(windows.of(Person.ANN).text())
        .contains("Next closing 2027-01-01 00:10, %s winter.".formatted(cup.id()));
  }

  @Test
  void aFailedClosingIsRestartedAndWatchedUntilItSettles(Windows windows) {
    Period period = failed();
    Window window = windows.of(Person.ANN);
    assertThat(window.text())
        .contains("1 thing needs a person", period.label(), "no room on the disk");
    window.click("Restart");
    window.fill("Reason", "the disk is larger now");
    Window steps = windows.of(Person.VIC);
    Outage.awaitLock(servers, LOCK);
    transaction.executeWithoutResult(
        status -> {
          records.number("select %d from pg_advisory_xact_lock(%d)".formatted(LOCK, LOCK));
          window.click("Restart the closing");
          assertThat(window.text()).contains("running", "“the disk is larger now”", "by ann");
          window.page().locator("pre", new LocatorOptions().setHasText("pay")).waitFor();
          window.checked().searchedWhole().dark().light();
          assertThat(world.again(period).state()).isEqualTo(PeriodState.FILLED);
          steps.goTo(page(period) + "/steps");
          assertThat(steps.page().locator(".timeline .is-running").innerText()).contains("pay");
          steps.searchedWhole().dark().light();
          Period other = CompletableFuture.supplyAsync(this::runOthers).join(); // commits
          Window ann = windows.of(Person.ANN);
          assertThat(ann.text()).contains("Closing now");
          assertThat(ann.goTo(page(other) + "/steps").text())
              .contains("The steps of the latest 20 runs.");
          ann.click("Steps of earlier runs");
          assertThat(ann.text()).doesNotContain("The steps of the latest");
        });
    window.waitFor(period.label() + " is settled").checked();
    assertThat(window.text()).contains("done").doesNotContain("running");
    assertThat(window.clicks()).isEqualTo(2);
    assertThat(records.paid(world.again(period))).isEqualTo(Contest.PAID);
    steps.page().locator(".timeline .is-done strong", withText("pay")).last().waitFor();
    steps.page().waitForCondition(() -> !steps.text().contains("running"));
    window.click("To the inbox");
    assertThat(window.text())
        .contains("Nothing needs you.", "Closed in 24 hours", "1 run failed", "1,680 credits")
        .containsPattern("Slowest closing\\s+(?:< )?[\\d.]+ \\w+\\s+" + period.label());
  }

  private static LocatorOptions withText(String text) {
    return new LocatorOptions().setHasText(Pattern.compile("^" + text + "$"));
  }

  private static String page(Period period) {
    return "/console/boards/%s/periods/%s".formatted(period.board(), period.name());
  }

  @Test
  void aFailedClosingIsRestartedWithTheKeyboardAlone(Windows windows) {
    Period period = failed();
    Window ann = windows.of(Person.ANN).tabTo("Skip to the content").press("Enter");
    ann.tabTo("Restart").enter();
    assertThat(ann.path()).startsWith("/console/verbs/restart");
    ann.tabTo("Skip to the content").press("Enter").tabTo("f-reason").type("there is room again");
    Outage.end(servers);
    ann.tabTo("Restart the closing").enter().waitFor(period.label() + " is settled");
    assertThat(ann.clicks()).isZero();
    assertThat(records.words("select reason from audit_entry where verb = 'restart'"))
        .containsExactly("there is room again");
    assertThat(records.paid(world.again(period))).isEqualTo(Contest.PAID);
  }

  @Test
  void whyTheNightStoppedIsReadWithTwoClicks(Windows windows) {
    Period period = failed();
    Window vic = windows.of(Person.VIC).click(period.label());
    assertThat(vic.text()).contains("The closing has failed once:", "no room on the disk");
    vic.click("Steps");
    assertThat(vic.clicks()).as("why did the night stop").isLessThanOrEqualTo(2);
    assertThat(vic.page().locator(".timeline .is-running").count()).isZero();
    assertThat(vic.page().locator(".timeline .is-failed").allInnerTexts())
        .singleElement()
        .asString()
        .contains("failed", "no room on the disk");
  }

  private static Thread counting(InboxCount count) {
    var thread = new Thread(count::refresh);
    thread.start();
    return thread;
  }

  private void awaitBlockedReading() {
    while (records.number("select count(*) from pg_locks where not granted") == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void theInboxIsCountedByOneThreadAndANumberFromBeforeAVerbIsOld() throws InterruptedException {
    count.refresh();
    assertThat(count.known()).isZero();
    count.expire();
    assertThat(count.isOld()).isTrue();
    long before = count.readings();
    var threads = new ArrayList<Thread>();
    transaction.executeWithoutResult(
        status -> {
          servers.sql("lock table outbox_target in access exclusive mode");
          threads.add(counting(count));
          CompletableFuture.runAsync(this::awaitBlockedReading).join();
          count.refresh(); // returns at once, while the other thread waits for PostgreSQL
        });
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(count.readings() - before).as("the second caller counts nothing").isOne();
    assertThat(count.isOld()).isFalse();

    count.expire();
    transaction.executeWithoutResult(
        status -> {
          servers.sql("lock table outbox_target in access exclusive mode");
          threads.add(counting(count));
          CompletableFuture.runAsync(this::awaitBlockedReading).join();
          count.expire(); // somebody calls a verb meanwhile
        });
    threads.get(1).join();
    assertThat(count.isOld()).as("it may lack what the verb has changed").isTrue();
  }

  private void park(String target) {
    servers.sql(
        """
        insert into outbox_target (
          name, address, facts, since, fact, delivered_at, failures, failing_since, failure,
          parked_at)
        values (?, 'https://shop.example/facts', '{period.settled}', '2026-11-01', 0,
          '2026-11-17T08:00Z', 9, '2026-11-17T09:00Z',
          '{"code": "delivery.answered", "values": {"answer": 500}, "text": ""}',
          '2026-11-20T09:00Z')
        """,
        target);
  }

  private static String count(Window window) {
    return window.page().locator("header nav .count").textContent();
  }

  @Test
  void theMenuCountsWhatNeedsAPersonAndAsksOnlyIfItsNumberIsOld(Windows windows) {
    Period held = played(Contest.rules().with("payout: { approval: required }"));
    world.close(held);
    Window ann = windows.of(Person.ANN);
    ann.goTo("/console");
    assertThat(ann.page().title()).isEqualTo("(1) Inbox · Palmares");
    assertThat(ann.page().locator(".item .sum").innerText()).isEqualTo("+1,680 credits");
    ann.requested().clear();
    ann.goTo("/console/boards");
    assertThat(count(ann)).isEqualTo("1");
    assertThat(ann.requested()).noneMatch(address -> address.endsWith("/inbox-count"));
    ann.goTo("/console").click("Reject").fill("Reason", "a suspicion");
    park("webhook");
    ann.click("Reject it");
    ann.page().waitForCondition(() -> count(ann).equals("2"));
    assertThat(ann.requested()).anyMatch(address -> address.endsWith("/inbox-count"));
    String page = "/console/boards/%s/periods/%s".formatted(held.board(), held.name());
    assertThat(ann.goTo(page).text())
        .contains("ann has rejected it: a suspicion.")
        .contains("Nothing of it is paid until a restart computes it again.");
  }

  @Test
  void aStepThatFailedTookNoLongerThanItsRun(Windows windows) {
    Period period = failed();
    String steps = "/console/boards/%s/periods/%s/steps".formatted(period.board(), period.name());
    Window window = windows.of(Person.VIC).goTo(steps);
    String took = ".timeline .is-failed .number.soft";
    String first = window.page().locator(took).innerText();
    world.pass(Duration.ofMinutes(20));
    assertThat(window.goTo(steps).page().locator(took).innerText()).isEqualTo(first);
  }

  @Test
  void aPeriodWhoseSealFailedIsRedAndSaysSo(Windows windows) {
    Period period = played(Contest.rules());
    world.due(period);
    world.close(period, InboxTest::failToSeal);
    assertThat(world.again(period).state()).isIn(PeriodState.OPEN, PeriodState.SEALED);
    Window window = windows.of(Person.VIC);
    for (String page : List.of("boards", "boards/" + period.board(), "grid")) {
      window.goTo("/console/" + page);
      String label = period.name() + ": failed";
      Locator cell = window.page().locator("[title='%s']".formatted(label)).first();
      assertThat(cell.getAttribute("class")).as(page).contains("state-failed");
      assertThat(cell.evaluate("cell => getComputedStyle(cell).backgroundColor"))
          .as(page)
          .isEqualTo("rgb(236, 136, 131)");
      assertThat(window.page().locator("main").textContent())
          .as("what is read out on %s", page)
          .contains(page.equals("boards") ? "1 failed" : label);
    }
  }

  private static void failToSeal(String step) {
    if (step.equals("seal")) {
      throw new IllegalStateException("no room on the disk");
    }
  }

  private static void failOtherwise(String step) {
    if (step.equals("seal")) {
      throw new IllegalStateException("a table is locked");
    }
  }

  @Test
  void failuresOfABoardWithOneCauseAreOneItemThatRestartsTheseAlone(Windows windows) {
    Board board = world.board(Contest.rules());
    Period first = world.open(board);
    world.due(first);
    world.close(first, InboxTest::failToSeal);
    Period between = world.open(board);
    world.due(between);
    world.close(between, InboxTest::failOtherwise);
    Period second = world.open(board);
    world.due(second);
    world.close(second, InboxTest::failToSeal);
    String next =
        Rows.of(installation.inbox(board.id().value(), PageRequest.FIRST)).rows().stream()
            .filter(row -> said(row).contains("no room on the disk"))
            .map(InboxTest::command)
            .reduce((one, other) -> one + " and " + other)
            .orElseThrow();
    String code = next.replaceAll(".*--cause (\\w+) .*", "$1");
    assertThat(next)
        .isEqualTo("palmares restart %s --cause %s --reason TEXT".formatted(board.id(), code));
    Window window = windows.of(Person.ANN).goTo("/console");
    assertThat(window.text()).contains("2 things need a person", "(2)", "no room on the disk");
    window.click("New batch");
    assertThat(window.page().locator("[name=board]").inputValue()).isEqualTo(board.id().value());
    assertThat(window.page().locator("[name=cause]").inputValue()).isEqualTo(code);
    var range = new PeriodRange(board.id(), null, null, null, code);
    assertThat(batches.items(acts.restart(range, "ann", "free").id(), null, 0, 9))
        .extracting(Batch.Item::label)
        .containsExactly(first.label(), second.label());
  }

  @Test
  void lateEventsOfAPeriodThatWasNeverOpenedAreDismissed(Windows windows) {
    Board board = world.board(Contest.rules().with("clock: event"));
    world.open(board);
    world.take(Fact.by("ann").to(board).at(world.now().minus(Duration.ofDays(400))));
    Window window = windows.of(Person.ANN).goTo("/console");
    assertThat(window.text()).contains("1 thing needs a person", "late events");
    assertThat(window.page().locator("main a[href*='accept-late']").count()).isZero();
    window
        .click("Dismiss late events")
        .check("All of these late events")
        .fill("Reason", "a broken clock")
        .click("Dismiss them");
    assertThat(window.text()).contains("“a broken clock”");
    assertThat(window.goTo("/console").text()).contains("Nothing needs you.");
  }

  /** Who accepts an event may forget the amendment, and nothing else would say so. */
  @Test
  void acceptedLateEventsAreAnItemUntilAnAmendmentCountsThem(Windows windows) {
    Board board = world.board(Contest.rules().with("clock: event"));
    Period day = world.open(board);
    world.take(Fact.by("ann").on("post").at(World.START).to(board));
    world.settle(day);
    world.take(Fact.by("ann").on("late post").at(World.START).to(board));
    Window window = windows.of(Person.ANN).goTo("/console");
    window
        .click("Accept late events")
        .check("All of these late events")
        .fill("Reason", "the gateway")
        .click("Accept them");
    assertThat(inbox(board))
        .containsExactly("accepted %1$s: palmares amend %1$s --reason TEXT".formatted(day.label()));
    window.goTo("/console");
    assertThat(window.text())
        .contains("1 thing needs a person", "No amendment that counts them is prepared.")
        .contains("dismiss them. Events: 1");
    window.click("Amend").fill("Reason", "the gateway").click("Prepare the amendment");
    assertThat(inbox(board)).singleElement().asString().startsWith("amendment " + day.label());
    var undecided = amendments.undecided(world.again(day)).orElseThrow();
    amendments.reject(
        day.id(),
        new Amendments.Decision(undecided.number(), undecided.digest(), "zoe", "not so"),
        () -> {});
    assertThat(inbox(board)).singleElement().asString().startsWith("accepted " + day.label());
  }

  /** An amendment for nothing else would change nothing, and is not prepared. */
  @Test
  void acceptedLateEventsThatChangeNothingAreDismissed(Windows windows) {
    Board board = world.board(Contest.rules().with("clock: event"));
    Period day = world.open(board);
    world.take(Fact.by("bot").on("post").at(World.START).to(board));
    world.take(Fact.by("ann").on("post").at(World.START).to(board));
    world.settle(day);
    exclusions.exclude(Terms.always(new MemberId("bot"), ExclusionLevel.HIDDEN), "a bot", "dan");
    amendments.prepare(day.id(), new AmendmentRequest("dan", "a bot", null, Map.of()));
    world.take(Fact.by("bot").on("late post").at(World.START).to(board));
    Window window = windows.of(Person.ANN).goTo("/console");
    window
        .click("Accept late events")
        .check("All of these late events")
        .fill("Reason", "the gateway")
        .click("Accept them");
    assertThat(inbox(board))
        .as("another amendment is undecided")
        .contains(
            "accepted %1$s: palmares late dismiss %1$s --all --change --reason TEXT"
                .formatted(day.label()));
    amendments.approve(day.id(), null, "zoe", "right so");
    window.goTo("/console").click("Amend").fill("Reason", "the gateway");
    window.click("Prepare the amendment");
    assertThat(window.text()).contains("Nothing would change");
    window
        .goTo("/console")
        .click("Dismiss late events")
        .check("All of these late events")
        .fill("Reason", "a bot");
    window.click("Dismiss them");
    assertThat(window.text()).contains("1 late event");
    assertThat(inbox(board)).isEmpty();
  }

  private Period faulty(String kind) {
    return faulty(world.open(world.board(Contest.rules())), kind);
  }

  private Period faulty(Period open, String kind) {
    servers.sql(
        """
        insert into journal_fault (period_id, kind, found_by_drain, since, forgotten)
        values (?, ?, false, now(), ?)
        """,
        open.id().value(),
        kind,
        kind.equals("forgotten") ? "sealed" : null);
    return open;
  }

  private List<String> inbox(@Nullable Board board) {
    return Rows.of(installation.inbox(board == null ? null : board.id().value(), PageRequest.FIRST))
        .rows()
        .stream()
        .map(row -> row.get("kind") + " " + row.get("object") + ": " + command(row))
        .toList();
  }

  private static String said(Map<String, @Nullable Object> row) {
    return row.get("detail") instanceof Sentence said ? Texts.english(said) : "";
  }

  /** What usually helps, as a command of a shell. */
  private static String command(Map<String, @Nullable Object> row) {
    return row.get("next") instanceof List<?> all
            && !all.isEmpty()
            && all.get(0) instanceof Map<?, ?> next
            && next.get("fields") instanceof Map<?, ?> fields
        ? Commands.of(
            new Next(
                String.valueOf(next.get("verb")),
                fields.entrySet().stream()
                    .collect(
                        Collectors.toMap(
                            field -> String.valueOf(field.getKey()),
                            Map.Entry::getValue,
                            (one, other) -> one,
                            LinkedHashMap::new))))
        : "nothing";
  }

  @Test
  void everyFaultOfAJournalIsAnItemWithTheCommandThatRepairsIt() {
    Period lost = faulty("lost");
    Period interrupted = faulty("interrupted");
    Period back = faulty("went-back");
    Period torn = faulty("torn");
    Period gap = faulty("gap");
    Period forgotten = faulty("forgotten");
    Period undrained = faulty("undrained");
    assertThat(inbox(null))
        .containsExactlyInAnyOrder(
            "live-board %1$s: palmares rebuild %1$s --reason TEXT".formatted(lost.label()),
            "live-board %1$s: palmares rebuild %1$s --reason TEXT".formatted(interrupted.label()),
            "live-board %1$s: palmares rebuild %1$s --replace --reason TEXT"
                .formatted(back.label()),
            "live-board %1$s: palmares rebuild %1$s --replace --reason TEXT"
                .formatted(torn.label()),
            "live-board %1$s: palmares rebuild %1$s --replace --accept-loss --reason TEXT"
                .formatted(gap.label()),
            "live-board %1$s: palmares rebuild %1$s --replace --accept-loss --reason TEXT"
                .formatted(forgotten.label()),
            "live-board %s: nothing".formatted(undrained.label()));
  }

  @Test
  void aClosingThatAFaultHasStoppedIsNoFurtherItem(Windows windows) {
    Period unlisted = played(Contest.rules().with("exclusions: [staff]"));
    world.close(unlisted);
    Period lost = faulty(played(Contest.rules()), "lost");
    String meta = LiveKeys.of(lost).name("meta");
    servers.redis(redis -> redis.keyCommands().del(meta.getBytes(UTF_8)));
    world.close(lost);
    Period other = failed();
    assertThat(inbox(null))
        .containsExactlyInAnyOrder(
            "live-board %1$s: palmares rebuild %1$s --reason TEXT".formatted(lost.label()),
            "missing-list %s staff: palmares lists create staff --reason TEXT"
                .formatted(unlisted.board()),
            "failed %1$s: palmares restart %1$s --reason TEXT".formatted(other.label()));
    Locator items = windows.of(Person.ANN).page().locator(".item");
    for (Period stopped : List.of(lost, unlisted)) {
      Locator item =
          items.filter(
              new Locator.FilterOptions().setHasText("This has stopped: " + stopped.label()));
      assertThat(item.locator(".actions a").allInnerTexts())
          .as(stopped.label())
          .containsExactly(stopped == lost ? "Rebuild" : "Create a list", "Restart");
    }
  }

  @Test
  void whatStopsAllBoardsIsListedFirst() {
    assertThat(
            Stream.of(InboxItem.Kind.values())
                .map(kind -> item(kind, World.START))
                .sorted(Comparator.comparingLong(InboxItem::order))
                .limit(4)
                .map(InboxItem::kind))
        .containsExactlyInAnyOrder(
            InboxItem.Kind.REDIS,
            InboxItem.Kind.WORK,
            InboxItem.Kind.SESSIONS,
            InboxItem.Kind.SCHEDULER);
    assertThat(item(InboxItem.Kind.REDIS, null).order()).isZero();
  }

  private static InboxItem item(InboxItem.Kind kind, @Nullable Instant since) {
    return new InboxItem(
        kind, null, null, kind.word(), since, Sentence.verbatim("why"), List.of(), Set.of());
  }

  @Test
  void aMissingListAndAQuarantinedEntryAreItemsOfTheirBoard() {
    Board listed = world.board(Contest.rules().with("exclusions: [staff]"));
    Period open = world.open(listed);
    servers.sql(
        """
        insert into journal_quarantine (period_id, seq, entry, error, quarantined_at)
        values (?, 7, '', said('verbatim', '{"text": "a value is too long"}'), now())
        """,
        open.id().value());
    assertThat(inbox(null)).isEqualTo(inbox(listed));
    assertThat(inbox(listed))
        .containsExactlyInAnyOrder(
            "missing-list %s staff: palmares lists create staff --reason TEXT"
                .formatted(listed.id()),
            "quarantine %1$s: palmares journal quarantine release %1$s 7 --reason TEXT"
                .formatted(open.label()));
    assertThat(inbox(world.board(Contest.rules()))).isEmpty();
  }

  @Test
  void anAdoptedBoardWithoutAKeyIsAnItemHalfAnHourAfterItsPeriodHasBegun() {
    Board board = world.board(Rules.adopting("lb:{period}", "points"));
    Period open = world.open(board);
    world.now(open.slot().startsAt().plus(Duration.ofMinutes(30)).minusMillis(1));
    assertThat(inbox(board)).isEmpty();
    world.pass(Duration.ofMillis(1));
    assertThat(inbox(board)).containsExactly("missing-key %s: nothing".formatted(open.label()));
    assertThat(inbox(world.board(Contest.rules()))).isEmpty();
    servers.sql("update period set seen_at = now()");
    assertThat(inbox(board)).isEmpty();
  }

  @Test
  void aLostLiveBoardIsRebuiltByAForm(Windows windows) {
    faulty("lost");
    Window window = windows.of(Person.ANN).goTo("/console");
    assertThat(window.text()).contains("1 thing needs a person", "is gone from Redis");
    assertThat(window.click("Rebuild").path()).contains("/console/verbs/rebuild");
  }

  /** More runs than a page shows. */
  private Period runOthers() {
    Period other = world.open(world.board(Contest.rules()));
    servers.sql(
        """
        insert into run (period_id, fence, node, cause, started_at, ended_at, outcome)
        select ?, n, 'another', 'a test', '2026-11-20', '2026-11-20', 'abandoned'
        from generate_series(1000, 1060) n
        """,
        other.id().value());
    return other;
  }

  private static List<String> names(Window window) {
    return window.page().locator(".item h2 a").allInnerTexts();
  }

  @Test
  void anItemIsOnOnePageEvenIfOneBeforeItIsDone(Windows windows) {
    servers.sql(
        """
        insert into outbox_target (
          name, address, facts, since, fact, delivered_at, failures, failing_since, failure,
          parked_at)
        select 'target-' || n, 'https://shop.example/facts', '{period.settled}', '2026-11-01', 0,
          timestamptz '2026-11-17T08:00Z' + n * interval '1 minute', 9, '2026-11-18T09:00Z',
          '{"code": "delivery.answered", "values": {"answer": 500}, "text": ""}',
          '2026-11-20T09:00Z'
        from generate_series(100, 201) n
        """);
    Window window = windows.of(Person.ANN).goTo("/console");
    assertThat(names(window)).hasSize(100).startsWith("target-100").endsWith("target-199");
    servers.sql("delete from outbox_target where name = 'target-100'");
    window.click("Next page");
    assertThat(names(window)).containsExactly("target-200", "target-201");
    window.expecting(400);
    for (String after : List.of("-50", "2147483647", "AA")) {
      window.goTo("/console?after=" + after);
      assertThat(window.status()).as(after).isEqualTo(400);
    }
  }

  @Test
  void whatABatchHasPreparedIsOneItem(Windows windows) {
    Period first = world.settle(played(Contest.rules()));
    Period second = world.settle(played(Contest.rules()));
    Period held = played(Contest.rules().with("payout: { approval: required }"));
    world.close(held);
    var terms = Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN);
    long bot = exclusions.exclude(terms, "a bot", "dan").id();
    long batch = acts.amend(new TreeSet<>(Set.of(bot)), "dan", "out of all results").id();
    runner.run(batch, item -> true);
    servers.sql(
        """
        insert into task (
          verb, target, reason, made_by, started_at, ended_at, state, request_hash)
        select 'close-batch', '{"code": "verbatim", "values": {"text": "all"}}'::jsonb,
               'a busy week', 'dan', '2026-11-20', '2026-11-20', 'done', ''
        from generate_series(1, 60)
        """);
    assertThat(batches.undecided())
        .extracting(period -> period.batch() + " " + period.board())
        .containsExactlyInAnyOrder(batch + " " + first.board(), batch + " " + second.board());
    Window window = windows.of(Person.ANN).goTo("/console");
    assertThat(window.text())
        .contains("2 things need a person", "approval (dan: out of all results).");
    String form = "/console/verbs/approve-batch?id=" + batch;
    assertThat(windows.of(Person.BOB).goTo(form).text().replaceAll("\\s+", " "))
        .contains("Largest gains and losses", "ann −2,080 credits 2");
    assertThat(names(window)).hasSize(2).contains(held.label());
    assertThat(window.page().locator("a[href='/console/tasks/%d']".formatted(batch)).count())
        .isOne();
    Locator sums = window.page().locator(".item .sum");
    assertThat(sums.allInnerTexts()).hasSize(2).anyMatch(sum -> sum.endsWith("−2,080 credits"));
    servers.unguarded(
        () ->
            servers.sql(
                "update revision set payments = 200001 where period_id = ? and revision = 2",
                second.id().value()));
    window.goTo("/console");
    assertThat(sums.allInnerTexts())
        .as("no sum of a part of the periods")
        .containsExactly("+1,680 credits");

    servers.sql(
        """
        update task_item
        set state = 'failed', message = '{"code": "verbatim", "values": {"text": "no room"}}'
        where task_id = ?
        """,
        batch);
    servers.sql("update task set ended_at = started_at, state = 'failed' where id = ?", batch);
    window.goTo("/console");
    assertThat(window.text()).contains("unfinished", "Failed periods: 2");
    window.click("Try again");
    assertThat(window.path()).startsWith("/console/verbs/resume-batch?id=" + batch);
  }

  @Test
  void aBatchThatRunsIsCancelledAndTheRestIsTriedAgain(Windows windows) {
    world.settle(played(Contest.rules()));
    var terms = Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN);
    long bot = exclusions.exclude(terms, "a bot", "dan").id();
    long batch = acts.amend(new TreeSet<>(Set.of(bot)), "dan", "out of all results").id();
    Window ann = windows.of(Person.ANN).goTo("/console/tasks/" + batch);
    assertThat(ann.named("Try again").count()).as("it runs: this would be refused").isZero();
    ann.click("Cancel").fill("Reason", "the wrong member").click("Cancel the batch");
    assertThat(ann.text()).contains("Batch " + batch + " ends: 1 pending");
    ann.goTo("/console/tasks/" + batch);
    assertThat(ann.text()).contains("“out of all results”", "1 pending");
    assertThat(ann.named("Cancel").count()).isZero();
    ann.click("Try again").fill("Reason", "the right member").click("Try again");
    ann.waitFor("held").goTo("/console/tasks/" + batch);
    assertThat(ann.text()).contains("What approval posts", "1,040 credits");
    assertThat(ann.named("Approve the batch").isVisible()).isTrue();
  }

  @Test
  void aForgedEntryIsMarkedAndTheInboxLeadsToTheRebuild(Windows windows) {
    Period period = played(Contest.rules().with("zone: Asia/Shanghai"));
    String key = LiveKeys.of(period).name("board");
    world.close(
        period,
        step -> {
          if (step.equals("drain")) {
            servers.redis(
                redis -> redis.zSetCommands().zAdd(key.getBytes(UTF_8), 5, "zoe".getBytes(UTF_8)));
          }
        });
    Window window = windows.of(Person.ANN);
    assertThat(window.text())
        .contains("zoe: no event of the journal explains the entry on the board", "+08:00");
    window.click(period.label());
    assertThat(window.text()).contains("The live board differs from its journal");
    assertThat(
            window
                .page()
                .locator("tr", new LocatorOptions().setHasText("no event explains it"))
                .allInnerTexts())
        .singleElement()
        .asString()
        .contains("zoe");
    window.click("Rebuild");
    assertThat(window.page().locator("[name=replace]").isChecked()).isTrue();
  }

  @Test
  void everythingThatNeedsAPersonIsListedTheOldestFirst(Windows windows) {
    Board board = world.board(Contest.rules().with("clock: event"));
    Period late = world.open(board);
    world.take(Fact.by("ann").on("post").at(World.START).to(board));
    Period held = played(Contest.rules().with("payout: { approval: required }"));
    Period overdue = played(Contest.rules());
    world.settle(late);
    servers.unguarded(() -> servers.sql("update line set points = 201 where member = 'ann'"));
    world.close(held);
    Period failed = failed();
    world.pass(Duration.ofMinutes(1));
    world.take(Fact.by("ann").on("late post").at(World.START).to(board));
    park("webhook");
    world.pass(Duration.ofHours(5));
    assertThat(nightly.verifyIfDue().orElseThrow().differences()).isPositive();

    Window window = windows.of(Person.ANN);
    List<String> items = window.page().locator(".item h2").allInnerTexts();
    assertThat(
            items.stream().map(item -> item.replaceAll("(?s)\\s*·.*", "").replaceAll("\\s+", " ")))
        .as(items.toString())
        .containsExactly(
            "delivery webhook",
            "held " + held.label(),
            "overdue " + overdue.label(),
            "failed " + failed.label(),
            "late events " + late.label(),
            "verification 2026-11-22");
    List<String> since =
        window.page().locator(".item time").all().stream()
            .map(time -> time.getAttribute("datetime"))
            .toList();
    assertThat(since).hasSize(items.size()).isSorted();

    Rows rows = Rows.of(installation.inbox(null, PageRequest.FIRST));
    assertThat(rows.rows())
        .extracting(row -> row.get("kind") + " " + row.get("object") + ": " + command(row))
        .containsExactly(
            "delivery webhook: palmares outbox --retry --target webhook --reason TEXT",
            "held %1$s: palmares approve %1$s --reason TEXT".formatted(held.label()),
            "overdue %1$s: palmares close %1$s --reason TEXT".formatted(overdue.label()),
            "failed %1$s: palmares restart %1$s --reason TEXT".formatted(failed.label()),
            "late %1$s: palmares late accept %1$s --all --reason TEXT".formatted(late.label()),
            "verification 2026-11-22: palmares verify");
    assertThat(Rows.of(installation.inbox(held.board().value(), PageRequest.FIRST)).rows())
        .extracting(row -> row.get("object"))
        .containsExactly(held.label());

    window.menu("Deliveries");
    assertThat(window.text())
        .contains("webhook", "answered 500", "parked")
        .doesNotContain("--retry");
  }
}

package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.api.identity.ApiKeys;
import palmares.console.Windows.Person;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Api;
import palmares.testing.Contest;
import palmares.testing.ProxiedServer;
import palmares.testing.Records;
import palmares.testing.World;

/**
 * Without PostgreSQL or Redis the console says so, loses nothing, and recovers without a person.
 */
@ConsoleTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutagePagesTest {
  private static final Duration RETRY = Duration.ofSeconds(5);

  /** How the server answers the page's style sheet, which the browser may have kept. */
  private static final String STYLE_STATUS =
      """
      fetch(document.querySelector("link[rel=stylesheet]").href, { cache: "reload" })
        .then(answer => answer.status)
      """;

  @Autowired private ApplicationContext context;
  @Autowired private World world;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private Records records;
  @Autowired private TransactionTemplate transaction;
  @Autowired private JdbcClient jdbc;

  private ProxiedServer server;

  @BeforeAll
  void start() throws IOException {
    server =
        new ProxiedServer(
            context, "--palmares.http.answer-timeout=500ms", "--palmares.http.report-timeout=1s");
  }

  @AfterAll
  void stop() throws IOException {
    server.close();
  }

  private void restorePostgres() {
    server.postgres().restore();
    var jdbc = server.application().getBean(JdbcClient.class);
    await()
        .ignoreExceptions()
        .until(() -> jdbc.sql("select 1").query(Integer.class).single().equals(1));
  }

  private void restoreRedis() {
    server.redis().restore();
    var redis = server.application().getBean(StringRedisTemplate.class);
    await().ignoreExceptions().until(() -> redis.hasKey("none").equals(false));
  }

  /** Opens the present periods of the boards that count comments. */
  private void playActivity() {
    String key = Api.key(server.application().getBean(ApiKeys.class), "outage");
    var answer =
        new Api(server.port(), key).post("{'id': 'e', 'member': 'ann', 'action': 'comment'}");
    assertThat(answer.status()).isEqualTo(200);
  }

  @Test
  void aFormThatMeetsAnOutageKeepsItsTextAndActsOnce(Windows windows) {
    Window window = windows.on(server.port()).of(Person.ANN);
    window.goTo("/console/verbs/pause?board=invites").fill("Reason", "a strange night");
    server.postgres().cut();
    window.expecting(503).click("Pause the board");
    assertThat(window.status()).isEqualTo(503);
    assertThat(window.text()).contains("PostgreSQL does not answer", "What you typed is kept");
    window.searchedWhole().dark().light();
    restorePostgres();
    window.click("Send again");
    assertThat(window.text()).contains("“a strange night”");
    assertThat(records.words("select reason from board_pause")).containsExactly("a strange night");
  }

  @Test
  void aFormThatPostgresDoesNotAnswerIsNotWaitedForAndActsOnce(Windows windows) {
    Window window = windows.on(server.port()).of(Person.ANN);
    window.goTo("/console/verbs/pause?board=invites").fill("Reason", "a strange night");
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql("lock table board_pause in access exclusive mode").update();
          window.expecting(503).click("Pause the board");
        });
    assertThat(window.status()).isEqualTo(503);
    assertThat(window.text()).contains("PostgreSQL does not answer", "it has one effect");
    window.click("Send again");
    assertThat(window.text()).contains("“a strange night”");
    assertThat(records.words("select reason from board_pause")).containsExactly("a strange night");
    assertThat(records.number("select count(*) from audit_entry where verb = 'pause'")).isOne();
  }

  @Test
  void aKeyThatPostgresDoesNotStoreInTimeIsMadeOnceByTheRepeat(Windows windows) {
    Window window = windows.on(server.port()).of(Person.ADA).goTo("/console/people");
    window.fill("Key", "stalled");
    for (String role : new String[] {"viewer", "writer"}) {
      window.page().locator("[name=keyRoles][value=" + role + "]").check();
    }
    window.page().fill("#key-reason", "a shop opens");
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql("lock table api_key in access exclusive mode").update();
          window.expecting(503).click("Create a key");
        });
    assertThat(window.status()).isEqualTo(503);
    window.click("Send again");
    assertThat(window.text()).contains("password or secret of stalled");
    assertThat(
            records.words("select array_to_string(roles, ',') from api_key where name = 'stalled'"))
        .containsExactly("viewer,writer");
  }

  @Test
  void anExclusionThatMeetsAnOutageOfRedisIsStoredOnceAndSaysWhatFollows(Windows windows) {
    world.open(world.board(Contest.rules()));
    world.takeAll(Contest.facts(), World.ANYBODY);
    Window window = windows.on(server.port()).of(Person.ANN);
    window.goTo("/console/verbs/exclude?member=ann&level=hidden&allowUnknown=true");
    window.fill("Reason", "a bot");
    server.redis().cut();
    window.click("Exclude the member");
    restoreRedis();
    assertThat(window.text()).contains("failed", "Live boards are not updated");
    window.back();
    assertThat(window.named("Exclude the member").isDisabled()).as("it is stored").isTrue();
    assertThat(records.number("select count(*) from exclusion")).isOne();
  }

  @Test
  void anApprovalThatMeetsAnOutageKeepsItsReasonAndPaysOnce(Windows windows) {
    Board board = world.board(Contest.rules().with("payout: { approval: required }"));
    Period day = world.open(board);
    world.takeAll(Contest.facts(), World.ANYBODY);
    world.close(day);
    Window window = windows.on(server.port()).of(Person.ANN);
    window.goTo("/console/verbs/approve?board=%s&period=%s".formatted(board.id(), day.name()));
    window.fill("Reason", "right");
    server.postgres().cut();
    window.expecting(503).click("Approve and pay 1,680 credits");
    assertThat(window.text()).contains("PostgreSQL does not answer", "What you typed is kept");
    assertThat(records.number("select count(*) from transfer")).isZero();
    restorePostgres();
    window.click("Send again").waitFor("Posted: +1,680 credits");
    assertThat(records.paid(world.again(day))).isEqualTo(Contest.PAID);
    assertThat(records.words("select by || ': ' || reason from approval"))
        .containsExactly("ann: right");
  }

  /** A big amendment is posted and verified by statements that take longer than a page waits. */
  @Test
  void anAmendmentWhoseStatementsTakeLongIsApproved(Windows windows) throws Exception {
    Board board = world.board(Contest.rules());
    Period day = world.open(board);
    world.takeAll(Contest.facts(), World.ANYBODY);
    world.settle(day);
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN), "a bot", "bob");
    amendments.prepare(day.id(), new AmendmentRequest("bob", "a bot", null, Map.of()));
    Window window = windows.on(server.port()).of(Person.ANN);
    window.goTo("/console/verbs/approve?board=%s&period=%s".formatted(board.id(), day.name()));
    window.fill("Reason", "right");
    var locked = new CountDownLatch(1);
    var slow =
        CompletableFuture.runAsync(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      jdbc.sql("lock table manifest in share mode").update();
                      locked.countDown();
                      await().until(this::aManifestWaitsLongerThanAPage);
                    }));
    locked.await();
    window.click(window.page().locator("main form button.main")).waitFor("is amended");
    slow.get();
    assertThat(world.again(day).revision()).isEqualTo(2);
  }

  private boolean aManifestWaitsLongerThanAPage() {
    return records.number(
            """
            select count(*) from pg_locks
            where relation = 'manifest'::regclass and not granted
              and waitstart < clock_timestamp() - interval '1 second'
            """)
        > 0;
  }

  /** A connection that was used a moment ago is not checked by the pool before its next use. */
  @Test
  void aPageThatPostgresDoesNotAnswerSaysSoAndANewOneIsShownAfterwards(Windows windows) {
    Window window = windows.on(server.port()).of(Person.ANN);
    window.expecting(503);
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql("lock table board_pause in access exclusive mode").update();
          window.goTo("/console/boards");
        });
    assertThat(window.status()).isEqualTo(503);
    assertThat(window.text()).contains("PostgreSQL does not answer");
    assertThat(window.goTo("/console/boards").status()).isEqualTo(200);
    server.postgres().holdAnswers();
    window.goTo("/console/boards");
    assertThat(window.status()).isEqualTo(503);
    server.postgres().restore();
    restorePostgres();
    assertThat(window.goTo("/console/boards").status()).isEqualTo(200);
  }

  @Test
  void aPayoutThatPostgresDoesNotAnswerSaysSoOnItsPageAndInsteadOfItsFile(Windows windows) {
    String page = "/console/boards/invites/payout";
    List<String> files =
        List.of(
            "/api/v1/ops/boards/invites/payout?format=csv",
            "/api/v1/ops/months/2026-11/payout?format=xlsx");
    Window window = windows.on(server.port()).of(Person.ANN);
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql("lock table payout_file in access exclusive mode").update();
          window.expecting(503).goTo(page);
          assertThat(window.status()).isEqualTo(503);
          assertThat(window.text()).contains("PostgreSQL does not answer");
          assertThat(window.broken(files))
              .containsExactly("503 " + files.get(0), "503 " + files.get(1));
        });
    assertThat(window.goTo(page).status()).isEqualTo(200);
    assertThat(window.broken(files)).isEmpty();
  }

  @Test
  void aPageOfAnOutageIsLoadedAgainUntilItIsOver(Windows windows) {
    Window window = windows.on(server.port()).of(Person.ANN);
    window.stopClock();
    server.postgres().cut();
    window.expecting(503).goTo("/console");
    assertThat(window.text()).contains("PostgreSQL does not answer");
    assertThat(window.page().evaluate(STYLE_STATUS)).as("its style sheet").isEqualTo(200);
    assertThat(window.page().content())
        .as("a browser without scripts tries again, too")
        .contains("<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>");
    window.searchedWhole().dark().light();
    window.pass(RETRY);
    assertThat(window.status()).isEqualTo(503);
    restorePostgres();
    window.pass(RETRY);
    assertThat(window.text()).contains("Nothing needs you.");

    playActivity();
    server.redis().cut();
    window.goTo("/console/memory");
    assertThat(window.text()).contains("Redis does not answer");
    window.searchedWhole().dark().light();
    window.goTo("/console/boards");
    assertThat(window.status()).isEqualTo(200);
    assertThat(window.text()).contains("Redis does not answer", "Activity of the day");
    window.searchedWhole().dark().light();
    window.goTo("/console");
    assertThat(window.text())
        .contains("Redis does not answer: fast boards take no events", "1 thing needs a person")
        .doesNotContain("Nothing needs you.", "Nothing needs a person");
    restoreRedis();
    server.redis().refuse("NOPERM this user has no permissions");
    assertThat(window.goTo("/console").text())
        .contains("Redis does not allow its user what Palmares needs", "1 thing needs a person")
        .doesNotContain("Redis does not answer");
    restoreRedis();
    window.goTo("/console/memory");
    assertThat(window.status()).isEqualTo(200);
    assertThat(window.text()).doesNotContain("Redis does not answer");
    window.page().waitForCondition(() -> window.goTo("/console").text().contains("Nothing needs"));
  }

  @Test
  void withoutASchedulerOrAVerificationTheInboxIsNotCalm(Windows windows) {
    Window window = windows.on(server.port()).of(Person.ANN);
    String node =
        """
        insert into node (name, process, roles, format, redis, started_at, seen_at, swept_at)
        values ('writer', 'writer', '{writer}', 1, 'Redis', now() - %s, now(), now() - %s)
        """;
    jdbc.sql(node.formatted("interval '25 hours'", "interval '4 minutes'")).update();
    assertThat(window.goTo("/console").text()).contains("Nothing needs you.");
    jdbc.sql("update node set swept_at = now() - interval '6 minutes'").update();
    assertThat(window.goTo("/console").text())
        .contains("No scheduler has prepared periods")
        .doesNotContain("Nothing needs", "verification has not run");
    jdbc.sql("update node set swept_at = null, started_at = now() - interval '27 hours'").update();
    assertThat(window.goTo("/console").text())
        .contains(
            "No scheduler has prepared periods",
            "The nightly verification has not run: check that a scheduler runs at night.");
    jdbc.sql("delete from node").update();
  }

  @Test
  void aServerOnAnEmptyFolderShowsTheFirstSteps(@TempDir Path folder, Windows windows)
      throws IOException {
    try (var empty = new ProxiedServer(context, "--palmares.jobs=" + folder)) {
      Window window = windows.on(empty.port()).of(Person.ANN);
      for (String page : List.of("/console", "/console/boards")) {
        assertThat(window.goTo(page).text())
            .as(page)
            .contains(
                "First steps",
                "palmares boards new invites --jobs " + folder.toAbsolutePath(),
                "palmares boards check",
                "curl localhost:" + empty.port())
            .doesNotContain("Nothing needs you.");
        window.dark().light().phone().desk();
      }
    }
  }

  @Test
  void aServerOfAnInstallationThatHasPlayedDoesNotStartOnAnEmptyFolder(@TempDir Path folder) {
    world.open(world.board(Contest.rules()));
    assertThatThrownBy(() -> new ProxiedServer(context, "--palmares.jobs=" + folder).close())
        .rootCause()
        .hasMessageContaining("has no board file, but the database has periods");
  }
}

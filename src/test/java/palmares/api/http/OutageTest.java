package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.platform.nodes.StoreProbe;
import palmares.platform.threads.Loops;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.FreshWorld;
import palmares.testing.PalmaresTest;
import palmares.testing.ProxiedServer;
import palmares.testing.Proxy;
import palmares.testing.Records;
import palmares.testing.Servers;
import tools.jackson.databind.JsonNode;

/** If PostgreSQL or Redis stops answering, the problem names the server, and a retry is safe. */
@PalmaresTest
@ExtendWith(FreshWorld.Once.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutageTest {
  private static final String INVITE =
      """
      {'id': '%s', 'member': '%1$s', 'action': 'invite', 'subject': 'bob', 'board': 'invites'}
      """;
  private static final String EVENT = "{'id': '%s', 'member': 'ann', 'action': 'comment'}";

  /** The drainer waits longer after each failure of an outage. */
  private static final Duration DRAINED_WITHIN = Duration.ofSeconds(30);

  /** Shorter than the timeout of the client, so that this one is met first. */
  private static final Duration REDIS_ANSWERS_WITHIN = Duration.ofMillis(400);

  private static final int CALLERS = 20;

  private static final String OF_THE_DAY =
      """
      select count(*) from event
      join period on period.id = event.period_id
      where board = 'activity-daily'
      """;

  /** Drains that wait for the lock of a test. */
  private static final String OF_A_DRAIN =
      "select count(*) from pg_locks where not granted and relation = 'event'::regclass";

  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private TransactionTemplate transaction;
  @Autowired private JdbcTemplate jdbc;
  @Autowired private ApplicationContext context;

  private Proxy toPostgres;
  private Proxy toRedis;
  private ProxiedServer server;
  private Api api;

  @BeforeAll
  void startAnApplicationBehindProxies() throws IOException {
    // Before the server starts: a change that it hears of later would have to be read again.
    String key = Api.key(context.getBean(ApiKeys.class), "outage");
    server =
        new ProxiedServer(
            context,
            "--palmares.journal.drain=true",
            "--palmares.relay.background=true",
            "--palmares.live.max-backlog=30",
            "--palmares.live.answer-timeout=" + REDIS_ANSWERS_WITHIN.toMillis() + "ms",
            "--palmares.loops.answer-timeout=3s",
            "--palmares.http.answer-timeout=3s");
    toPostgres = server.postgres();
    toRedis = server.redis();
    api = new Api(server.port(), key);
  }

  @AfterAll
  void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void openTheDay() {
    assertThat(api.post(EVENT.formatted("first")).status()).isEqualTo(200);
  }

  /** A session that begins to listen for changes of keys takes all for changed: before a test. */
  @AfterEach
  void recover() {
    toPostgres.restore();
    toRedis.restore();
    Lifecycle keyChanges = server.application().getBean("keyChanges", Lifecycle.class);
    keyChanges.stop();
    keyChanges.start();
    awaitTheListener();
    assertEventually(EVENT.formatted("recovered"));
    await().until(() -> server.application().getBean(StoreProbe.class).postgresAnswers());
    await().until(() -> backlog() == 0);
  }

  @Test
  void withoutRedisEventsFailAndARetryCountsOnce() {
    toRedis.cut();
    assertUnavailable(api.post(EVENT.formatted("second")), "redis-unavailable");
    assertUnavailable(api.get("/boards/activity-daily/periods/current/top"), "redis-unavailable");
    toRedis.restore();
    assertEventually(EVENT.formatted("second"));
    assertThat(api.post(EVENT.formatted("second")).body().path("outcome").asString())
        .isEqualTo("duplicate");
  }

  @Test
  void withoutPostgresEventsOfOpenPeriodsCountAndWhatIsKnownIsRead() {
    String top = "/boards/activity-daily/periods/current/top";
    assertThat(api.get(top).status()).isEqualTo(200);
    toPostgres.cut();
    assertThat(api.post(EVENT.formatted("third")).status()).isEqualTo(200);
    assertThat(api.get(top).body().path("lines").get(0).path("points").asLong())
        .as("the lines are in Redis")
        .isPositive();
    String unread = "/boards/activity-monthly/periods/current/top";
    assertUnavailable(api.get(unread), "database-unavailable");
    toPostgres.restore();
    await().until(() -> api.get(unread).status() == 200);
  }

  @Test
  void whoIsForgottenWithoutRedisLeavesAnswersUntilTheNextCall() {
    servers.register("fay");
    var key = new NewKey("forgets", Set.of(Role.ADMIN), Set.of(), null);
    var admin = new Api(server.port(), context.getBean(ApiKeys.class).create(key, "tester", "t"));
    String forget = "{'reason': 'request 7', 'member': 'fay'}";
    toRedis.cut();
    JsonNode left = admin.postTo("/ops/members/forget", forget).body();
    assertThat(left.path("state").asString()).as("%s", left).isEqualTo("failed");
    assertThat(left.path("messages").toString())
        .contains("the profile of 'fay' is deleted", "are not removed");
    assertThat(records.number("select count(*) from member where forgotten_at is not null"))
        .isOne();
    toRedis.restore();
    await()
        .until(
            () ->
                admin
                    .postTo("/ops/members/forget", forget)
                    .body()
                    .path("state")
                    .asString()
                    .equals("done"));
  }

  /** PostgreSQL keeps its answers back: the pool has connections, and each waits. */
  @Test
  void aSenderWhoseTimeoutIsTwoSecondsSeesNoOutageOfPostgres() {
    awaitTheListener();
    assertThat(api.post(EVENT.formatted("known")).status()).isEqualTo(200);
    toPostgres.holdAnswers();
    for (int i = 0; i < 5; i++) {
      long began = System.nanoTime();
      assertThat(api.post(EVENT.formatted("slow" + i)).status()).isEqualTo(200);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
    }
    assertThat(server.application().getBean(StoreProbe.class).postgresAnswers()).isFalse();
    toPostgres.restore();
  }

  /** Once a key may have changed, only PostgreSQL knows whether it is valid. */
  @Test
  void aKeyThatMayHaveChangedIsRefusedIfPostgresDoesNotSayWhetherItIsValid() {
    ApiKeys keys = server.application().getBean(ApiKeys.class);
    var key = new NewKey("another", Set.of(Role.WRITER), Set.of(), null);
    var another = new Api(server.port(), keys.create(key, "tester", "test"));
    assertEventually(another, EVENT.formatted("another"));
    keys.revoke("another", "tester", "test");
    await().until(() -> another.post(EVENT.formatted("another")).status() == 401);
    toPostgres.holdAnswers();
    assertUnavailable(api.post(EVENT.formatted("changed")), "database-unavailable");
    toPostgres.restore();
    assertEventually(EVENT.formatted("changed"));
  }

  /** Another one has its place, while statements wait on connections that nobody closes. */
  @Test
  void aPostgresThatVanishesWithoutAWordIsReplacedForRequestsAndLoops() {
    awaitTheListener();
    String invite = INVITE.formatted("vic");
    CompletableFuture<Answer> asked =
        askInCommit(
            invite,
            () -> {
              assertThat(api.post(EVENT.formatted("undrained")).status()).isEqualTo(200);
              await().until(() -> records.number(OF_A_DRAIN) >= 1);
              toPostgres.vanish();
            });
    assertUnavailable(asked.join(), "database-unavailable");
    assertEventually(invite);
    await().atMost(DRAINED_WITHIN).until(() -> backlog() == 0);
    Loops loops = server.application().getBean(Loops.class);
    await().until(() -> loops.health().getStatus().equals(Status.UP));
    assertThat(invited("vic")).isEqualTo(100);
  }

  /** Sends an event whose commit waits, as drains do, until something is done. */
  private CompletableFuture<Answer> askInCommit(String event, Runnable meanwhile) {
    servers.sql(
        """
        create function wait_in_commit() returns trigger language plpgsql as $$
        begin
          perform pg_advisory_xact_lock(7);
          return null;
        end $$
        """);
    servers.sql(
        """
        create constraint trigger waits_in_commit after insert on committed_event
        deferrable initially deferred for each row execute function wait_in_commit()
        """);
    try {
      return Objects.requireNonNull(
          transaction.execute(
              status -> {
                jdbc.execute("lock table event in share mode");
                records.number("select 7 from pg_advisory_xact_lock(7)");
                var asked = CompletableFuture.supplyAsync(() -> api.post(event));
                await().until(() -> records.number(IN_COMMIT) == 1);
                meanwhile.run();
                return asked;
              }));
    } finally {
      servers.sql("drop trigger waits_in_commit on committed_event");
      servers.sql("drop function wait_in_commit()");
    }
  }

  /** Neither a connection that is open nor a new one is answered. */
  @Test
  void callersWaitForASilentRedisAtTheSameTimeAndNotOneAfterAnother() {
    String top = "/boards/activity-daily/periods/current/top";
    var callers = new SimpleAsyncTaskExecutor();
    toRedis.holdAnswers();
    for (int round = 0; round < 3; round++) {
      long began = System.nanoTime();
      List<CompletableFuture<Answer>> asked =
          IntStream.range(0, CALLERS)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> api.get(top), callers))
              .toList();
      asked.forEach(each -> assertUnavailable(each.join(), "redis-unavailable"));
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .as("round %d", round)
          .isLessThan(REDIS_ANSWERS_WITHIN.multipliedBy(CALLERS / 2));
    }
    toRedis.restore();
    await().until(() -> api.get(top).status() == 200);
  }

  /** Another one has its place. */
  @Test
  void aRedisThatVanishesWithoutAWordIsReplaced() {
    toRedis.vanish();
    assertUnavailable(api.post(EVENT.formatted("unheard")), "redis-unavailable");
    assertEventually(EVENT.formatted("unheard"));
    assertThat(api.get("/boards/activity-daily/periods/current/top").status()).isEqualTo(200);
  }

  private void awaitTheListener() {
    Object check = server.application().getBean("apiKeyCheck");
    await()
        .until(() -> Boolean.TRUE.equals(ReflectionTestUtils.invokeMethod(check, "isAnnounced")));
  }

  @Test
  void healthAnswersWithinItsBoundDuringAnOutage() {
    toPostgres.cut();
    toRedis.cut();
    long began = System.nanoTime();
    for (HealthIndicator each :
        server.application().getBeansOfType(HealthIndicator.class).values()) {
      each.health();
    }
    var names = List.of("dbHealthIndicator", "redisHealthIndicator");
    for (String name : names) {
      assertThat(health(name)).as(name).isEqualTo(Status.DOWN);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(6));
    toPostgres.restore();
    toRedis.restore();
    await().until(() -> names.stream().allMatch(name -> health(name).equals(Status.UP)));
  }

  private Status health(String indicator) {
    return Objects.requireNonNull(
            server.application().getBean(indicator, HealthIndicator.class).health())
        .getStatus();
  }

  @Test
  void eventsTakenWithoutPostgresAreStoredOnceAfterTheOutage() {
    assertThat(api.post(EVENT.formatted("drained")).status()).isEqualTo(200);
    String drained = "select count(*) from event where id = 'drained'";
    await().atMost(DRAINED_WITHIN).until(() -> records.number(drained) == 3);
    await().until(() -> backlog() == 0);
    long before = records.number(OF_THE_DAY);
    toPostgres.cut();
    for (int i = 0; i < 30; i++) {
      Answer taken = api.post(EVENT.formatted("out" + i));
      assertThat(taken.status()).as(taken.response().body()).isEqualTo(200);
    }
    await().until(() -> backlog() == 30);
    Answer full = api.post(EVENT.formatted("one more"));
    assertUnavailable(full, "backlog", "30");
    toPostgres.restore();
    await().until(() -> records.number(OF_THE_DAY) == before + 30);
    await().until(() -> backlog() == 0);
    assertThat(records.number("select count(distinct id) from event where id like 'out%'"))
        .isEqualTo(30);
    assertThat(api.post(EVENT.formatted("one more")).status()).isEqualTo(200);
  }

  @Test
  void withoutRedisACommittedEventIsAcceptedAndCountsOnce() {
    String invite = INVITE.formatted("eve");
    toRedis.cut();
    Answer accepted = api.post(invite);
    assertThat(accepted.status()).as(accepted.response().body()).isEqualTo(202);
    assertThat(accepted.body().path("outcome").asString()).isEqualTo("accepted");
    assertThat(api.post(invite).status()).as("sent again during the outage").isEqualTo(202);
    toRedis.restore();
    await().until(() -> invited("eve") == 100);
    // Callers do not wait for the relay until it knows that Redis answers again.
    await().until(() -> api.post(invite).body().path("outcome").asString().equals("duplicate"));
    assertThat(invited("eve")).isEqualTo(100);
  }

  @Test
  void anEventWithoutAnAnswerAfterItsCommitCountsOnceIfSentAgain() {
    String invite = INVITE.formatted("kim");
    CompletableFuture<Answer> asked = askInCommit(invite, toPostgres::holdAnswers);
    await()
        .until(() -> records.number("select count(*) from committed_event where id = 'kim'") == 1);
    toPostgres.cut();
    assertUnavailable(asked.join(), "database-unavailable");
    toPostgres.restore();
    await().until(() -> api.post(invite).body().path("outcome").asString("").equals("duplicate"));
    assertThat(invited("kim")).isEqualTo(100);
  }

  private static final String IN_COMMIT =
      """
      select count(*) from pg_stat_activity
      where wait_event = 'advisory' and query ilike 'commit%'
      """;

  @Test
  void aRegistrationWithoutRedisCreditsTheInviterOnceAfterTheOutage() {
    String code =
        register("{'externalId': '+8613800138000', 'nickname': 'Ann', 'member': 'zoe'}")
            .path("inviteCode")
            .asString();
    String bob =
        "{'externalId': '+8613800138001', 'nickname': 'Bob', 'inviteCode': '" + code + "'}";
    toRedis.cut();
    String registered = register(bob).path("member").asString();
    toRedis.restore();
    await().until(() -> invited("zoe") == 100);
    assertThat(register(bob).path("member").asString()).isEqualTo(registered);
    assertThat(invited("zoe")).isEqualTo(100);
    assertThat(api.get("/boards/experience/periods/current/members/zoe").body().path("points"))
        .as("a fast board that counts invites")
        .hasToString("100");
  }

  private JsonNode register(String registration) {
    Answer answer = api.postTo("/members", registration);
    assertThat(answer.status()).as(answer.response().body()).isBetween(200, 201);
    return answer.body();
  }

  private long invited(String member) {
    return api.get("/boards/invites/periods/current/members/" + member)
        .body()
        .path("points")
        .asLong(0);
  }

  /** Reads the metrics of the board that has the most of all that count comments. */
  private double backlog() {
    return Stream.of("activity-daily", "activity-monthly", "experience")
        .mapToDouble(
            board -> api.metric("palmares_journal_backlog_events{board=\"%s\"}".formatted(board)))
        .max()
        .orElseThrow();
  }

  @Test
  void refusalsOfRedisHaveTheirOwnProblemTypes() {
    String top = "/boards/activity-daily/periods/current/top";
    toRedis.refuse("LOADING Redis is loading the dataset in memory");
    assertUnavailable(api.post(EVENT.formatted("fourth")), "redis-loading");
    assertUnavailable(api.get(top), "redis-loading");
    toRedis.refuse("MOVED 3999 127.0.0.1:6381");
    Answer moved = api.get(top);
    assertThat(moved.problem()).isEqualTo("urn:palmares:problem:redis-cluster");
    assertThat(moved.header("Retry-After")).isEmpty();
    assertThat(moved.body().path("detail").asString()).contains("spring.data.redis.cluster.nodes");
    toRedis.refuse("BUSY Redis is busy running a script");
    assertUnavailable(api.get(top), "redis-unavailable");
    assertRefused("READONLY You can't write against a read only replica.", "redis-replica", "5");
    assertRefused("MISCONF Errors writing to the AOF file", "redis-cannot-save", "30");
    assertRefused("NOREPLICAS Not enough good replicas", "redis-too-few-replicas", "30");
    assertRefused("CLUSTERDOWN Hash slot not served", "redis-cluster-down", "5");
    assertRefused("TRYAGAIN Multiple keys request", "redis-slot-moving", "5");
    assertRefused("NOPERM this user has no permissions", "redis-forbidden", "");
    assertRefused(
        "ERR The user executing the script can't run this command script: a",
        "redis-forbidden",
        "");
    assertRefused("CROSSSLOT Keys in request don't hash to", "redis-cross-slot", "");
    toRedis.restore();
    assertThat(api.post(EVENT.formatted("fourth")).body().path("outcome").asString())
        .isEqualTo("applied");
  }

  /** Says what is wrong, and not that Redis does not answer; so does the health check. */
  private void assertRefused(String error, String problem, String retryAfter) {
    toRedis.refuse(error);
    Answer refused = api.post(EVENT.formatted("fourth"));
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.problem()).isEqualTo("urn:palmares:problem:" + problem);
    assertThat(refused.header("Retry-After")).isEqualTo(retryAfter);
    assertThat(refused.body().path("detail").asString()).doesNotContain("does not answer");
    var health = server.application().getBean("redisHealthIndicator", HealthIndicator.class);
    assertThat(Objects.requireNonNull(health.health()).getDetails().values().toString())
        .contains(problem.substring("redis-".length()));
  }

  private void assertEventually(String event) {
    assertEventually(api, event);
  }

  private static void assertEventually(Api sender, String event) {
    await().until(() -> sender.post(event).status() == 200);
  }

  private static void assertUnavailable(Answer answer, String problem) {
    assertUnavailable(answer, problem, "5");
  }

  private static void assertUnavailable(Answer answer, String problem, String retryAfter) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("urn:palmares:problem:" + problem);
    assertThat(answer.header("Retry-After")).isEqualTo(retryAfter);
  }
}

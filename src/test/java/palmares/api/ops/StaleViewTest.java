package palmares.api.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.api.identity.ApiKeys;
import palmares.api.roles.Role;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.settlement.outcome.PaymentSums;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/** A verb with {@code If-Match} acts on what the caller saw, or on nothing. */
@WorldTest
class StaleViewTest {
  static final String FAIL_FOR_ANOTHER_CAUSE =
      """
      update period
      set failures = failures + 1, failure = '{"code": "verbatim", "values": {"text": "other"}}'
      """;

  private static final int RACES = Integer.getInteger("tests.races", 6);
  private static final Duration LEASE = Duration.ofSeconds(20);

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private ApiKeys keys;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @LocalServerPort private int port;

  private Board board;
  private static final String YES = "{\"reason\":\"yes\"}";

  @Autowired private Revisions revisions;
  @Autowired private PaymentSums sums;
  private Api api;

  @BeforeEach
  void aBoardThatIsHeld() {
    board =
        world.board(Contest.rules().with("clock: event").with("payout: { approval: required }"));
    api = new Api(port, Api.ownKey(keys, "ops", "local:test", Role.OPERATOR, Role.APPROVER));
  }

  /** By hand, by a program, and with a condition that any state meets. */
  @Test
  void anApprovalThatNamesNothingIsRefused() {
    Period day = periodIn("held");
    String digest = revisions.find(day.id(), 1).orElseThrow().digest();
    for (String any : List.of("*", "")) {
      Answer refused =
          any.isEmpty()
              ? api.post(path(day) + "/approve", Api.JSON, YES)
              : verb(day, "approve", YES, any);
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.problem()).endsWith("wrong-state");
      assertThat(refused.body().path("next").path(1).path("fields").path("expect").asString())
          .isEqualTo(digest);
    }
    assertThat(world.again(day).state().word()).isEqualTo("held");
    Answer dry = api.post(path(day) + "/approve?dryRun=true", Api.JSON, YES);
    assertThat(dry.status()).isEqualTo(200);
    assertThat(dry.body().path("messages").toString())
        .contains("would be approved")
        .doesNotContain("was approved");
    assertThat(dry.body().path("pays").path("digest").asString()).isEqualTo(digest);
    assertThat(dry.body().path("pays").path("reasons").path(0).path("text").asString())
        .contains("approval");
    assertThat(world.again(day).state().word()).isEqualTo("held");
    String named = "{\"reason\":\"yes\",\"expect\":\"%s\"}".formatted(digest);
    assertThat(followed(api.post(path(day) + "/approve", Api.JSON, named)).problem()).isEmpty();

    followed(verb(world.again(day), "amend", "{\"reason\":\"yes\",\"points\":{\"ann\":7}}", "*"));
    Answer unnamed = api.post(path(day) + "/approve", Api.JSON, YES);
    assertThat(unnamed.body().path("next").path(1).path("fields").path("expect").asString())
        .isEqualTo(revisions.find(day.id(), 2).orElseThrow().digest());
    Answer dryAmendment = api.post(path(day) + "/approve?dryRun=true", Api.JSON, YES);
    assertThat(dryAmendment.status()).isEqualTo(200);
    JsonNode pays = dryAmendment.body().path("pays");
    assertThat(pays.path("digest").asString())
        .isEqualTo(revisions.find(day.id(), 2).orElseThrow().digest());
    Sum moved = sums.of(revisions.find(day.id(), 2).orElseThrow()).get(0);
    assertThat(pays.at("/sums/" + moved.currency()).decimalValue())
        .isEqualByComparingTo(moved.gets())
        .isPositive();
    assertThat(pays.at("/owes/" + moved.currency()).decimalValue())
        .isEqualByComparingTo(moved.owes())
        .isPositive();
    assertThat(followed(verb(day, "approve", YES, tag(day))).problem()).isEmpty();
  }

  private Period periodIn(String state) {
    Period day = world.open(board);
    Contest.facts().forEach(fact -> world.take(fact.at(world.now())));
    world.due(day);
    if (!state.equals("open")) {
      world.close(day);
    }
    if (state.equals("settled")) {
      assertThat(followed(verb(day, "approve", YES, tag(day))).problem()).isEmpty();
      world.take(Fact.by("ann").named("late").at(day.slot().startsAt()));
    }
    return world.again(day);
  }

  private Answer verb(Period day, String verb, String body, String tag) {
    return api.post(path(day) + "/" + verb, Api.JSON, body, "If-Match", tag);
  }

  private static String path(Period day) {
    return "/ops/boards/%s/periods/%s".formatted(day.board(), day.name());
  }

  private String tag(Period day) {
    return api.get(path(day)).header("ETag");
  }

  /** The end of a verb; its problem, if it has one, comes with the answer or with the task. */
  private record Ended(String state, String problem) {}

  private Ended followed(Answer answer) {
    if (answer.status() >= 400) {
      return new Ended("refused", answer.problem());
    }
    Answer task = answer;
    while (task.body().path("state").asString().equals("running")) {
      task =
          api.get(
              "/ops/tasks/%d?wait=30&seen=%d"
                  .formatted(task.body().path("id").asLong(), task.body().path("progress").size()));
    }
    return new Ended(
        task.body().path("state").asString(), task.body().path("problem").asString(""));
  }

  /** The period changes after the verb has compared the tag, and before it acts. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          open    | close               | {"reason":"yes"}
          open    | hold                | {"reason":"yes"}
          open    | restart             | {"reason":"yes"}
          open    | rebuild             | {"reason":"yes","replace":true}
          held    | approve             | {"reason":"yes"}
          held    | reject              | {"reason":"yes"}
          held    | hold                | {"reason":"yes"}
          settled | amend               | {"reason":"yes","points":{"ann":7}}
          settled | late-events/accept  | {"reason":"yes","all":true}
          settled | late-events/dismiss | {"reason":"yes","all":true}
          """)
  void aChangeBetweenTheComparisonAndTheActIsSeen(String state, String verb, String body) {
    Period day = periodIn(state);
    String tag = tag(day);
    var acting =
        Objects.requireNonNull(
            transaction.execute(
                status -> {
                  jdbc.sql(FAIL_FOR_ANOTHER_CAUSE + " where id = ?")
                      .param(day.id().value())
                      .update();
                  var begun =
                      CompletableFuture.supplyAsync(() -> followed(verb(day, verb, body, tag)));
                  await().until(() -> isBlocked() || begun.isDone());
                  return begun;
                }));
    Ended ended = acting.join();
    assertThat(ended.problem()).endsWith("stale-view");
    assertThat(world.again(day)).isEqualTo(day);
    assertThat(decisions(day)).isEmpty();
    assertThat(followed(verb(day, verb, body, tag(day))).problem()).isEmpty();
  }

  /** An attempt that ends as the one before changes nothing that a person decides on. */
  @Test
  void aRetryThatFailsForTheSameCauseLeavesTheViewAsItIs() {
    Period day = periodIn("open");
    fail(day, "no room");
    String tag = tag(day);
    fail(day, "no room");
    assertThat(tag(day)).isEqualTo(tag);
    assertThat(followed(verb(day, "hold", YES, tag)).problem()).isEmpty();
    fail(day, "another");
    assertThat(tag(day)).isNotEqualTo(tag);
    Answer stale = verb(day, "lift-hold", YES, tag);
    assertThat(stale.problem()).endsWith("stale-view");
    assertThat(stale.body().path("values").path("etag").asString()).isEqualTo(tag(day));
    assertThat(stale.body().path("detail").asString()).doesNotContain(tag(day), "ETag");
  }

  /** Its commit is not undone, so the person must not read that nothing was changed. */
  @Test
  void aRestartWaitsForASchedulerThatTakesThePeriodFirst() {
    Period day = periodIn("open");
    fail(day, "no room");
    servers.sql(
        """
        create function take_first() returns trigger language plpgsql as $$
        begin
          update period
          set lease_owner = 'another', lease_until = '%s', fence = fence + 1
          where id = %s;
          return null;
        end $$;
        create constraint trigger "a test takes the period" after insert on audit_entry
          initially deferred for each row
          when (new.verb = 'restart') execute function take_first()
        """
            .formatted(world.now().plus(LEASE), day.id().value()));
    try {
      var restarting =
          CompletableFuture.supplyAsync(
              () -> followed(api.post(path(day) + "/restart", Api.JSON, YES)));
      await()
          .until(
              () ->
                  jdbc.sql("select exists (select from task where progress::text ~ 'retrying')")
                          .query(Boolean.class)
                          .single()
                      || restarting.isDone());
      world.pass(LEASE);
      assertThat(restarting.join()).isEqualTo(new Ended("held", ""));
    } finally {
      servers.sql("drop function take_first cascade");
    }
  }

  private void fail(Period day, String cause) {
    world.close(
        day,
        step -> {
          throw new IllegalStateException(cause);
        });
  }

  private boolean isBlocked() {
    return jdbc.sql(
            """
            select exists (
              select from pg_locks
              join pg_stat_activity using (pid)
              where not granted and datname = current_database())
            """)
        .query(Boolean.class)
        .single();
  }

  private List<Map<String, Object>> decisions(Period day) {
    return jdbc.sql(
            """
            select verb from audit_entry
            where board = :board and period = :period and verb <> 'approve'
            """)
        .param("board", day.board().value())
        .param("period", day.name().value())
        .query()
        .listOfRows();
  }

  @Test
  void ofManyActsOnOneViewOneHappens() throws Exception {
    for (int race = 0; race < RACES; race++) {
      Period day = periodIn("held");
      String tag = tag(day);
      var barrier = new CyclicBarrier(3);
      var ended = new ArrayList<CompletableFuture<Ended>>();
      for (String verb : List.of("approve", "reject", "hold")) {
        ended.add(
            CompletableFuture.supplyAsync(
                () -> {
                  pass(barrier);
                  return followed(verb(day, verb, "{\"reason\":\"yes\"}", tag));
                }));
      }
      var results = ended.stream().map(CompletableFuture::join).toList();
      assertThat(results.stream().filter(result -> result.problem().isEmpty()))
          .as("race %d: %s", race, results)
          .hasSize(1);
      assertThat(results.stream().filter(result -> !result.problem().isEmpty()))
          .allSatisfy(result -> assertThat(result.problem()).endsWith("stale-view"));
    }
  }

  private static void pass(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}

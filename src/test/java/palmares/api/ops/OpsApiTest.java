package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static palmares.platform.output.OutputFormat.XLSX;

import java.io.StringReader;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.api.identity.ApiKeys;
import palmares.api.roles.Role;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionFile;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Next;
import palmares.platform.time.Days;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contest;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The operations API, as its OpenAPI document describes it. */
@WorldTest
class OpsApiTest {
  private static final List<String> LISTS =
      List.of(
          "/periods",
          "/periods?attention=true",
          "/boards",
          "/boards/BOARD",
          "/boards/BOARD/report",
          "/boards/BOARD/periods/PERIOD",
          "/boards/BOARD/periods/PERIOD/report",
          "/boards/BOARD/periods/PERIOD/report?revision=1",
          "/boards/BOARD/periods/PERIOD/revisions",
          "/boards/BOARD/periods/PERIOD/manifest",
          "/boards/BOARD/periods/PERIOD/preview",
          "/boards/BOARD/periods/PERIOD/transfers",
          "/boards/BOARD/periods/PERIOD/members/ann/explanation",
          "/boards/BOARD/fame?count=3",
          "/boards/BOARD/members/ann?count=1",
          "/boards/BOARD/members/ann/record",
          "/months/2026-11",
          "/members/ann?count=5",
          "/months/2026-11/payout",
          "/boards/BOARD/payout?from=2026-11-01&to=2026-12-01",
          "/boards/BOARD/periods/PERIOD/payout",
          "/boards/BOARD/report?from=2026-11-01",
          "/months/2026-11/periods?zone=Asia/Tokyo",
          "/late-events",
          "/withheld",
          "/exclusions?all=true",
          "/ledger/balances?all=true",
          "/ledger/accounts/ann",
          "/runs",
          "/nodes",
          "/audit-log",
          "/verifications",
          "/outbox",
          "/outbox/attempts?failed=true",
          "/boards/BOARD/periods/PERIOD/exclusions",
          "/memory",
          "/quarantine",
          "/inbox",
          "/tasks",
          "/pauses",
          "/boards/BOARD/periods/PERIOD/steps",
          "/exclusions/lists");

  private static final String YES = "{\"reason\":\"yes\"}";

  private static final String EXCLUDE =
      "{\"reason\":\"bot\",\"member\":\"ann\",\"level\":\"hidden\"}";

  @Autowired private World world;
  @Autowired private ApiKeys keys;
  @Autowired private JdbcClient jdbc;
  @Autowired private Exclusions exclusions;
  @Autowired private Revisions revisions;
  @Autowired private Periods periods;
  @Autowired private PeriodTimeline timeline;
  @Autowired private Leases leases;
  @Autowired private Servers servers;
  @LocalServerPort private int port;

  private Board board;
  private Period day;
  private Api api;

  @BeforeEach
  void settleAContest() {
    board = world.board(Contest.rules().with("rewards: [{ rule: first, ranks: { 1: 100 } }]"));
    day = world.open(board);
    world.take(Contest.facts());
    api = new Api(port, Api.ownKey(keys, "ops", "local:test", Role.OPERATOR, Role.APPROVER));
  }

  private String at(String path) {
    return "/ops" + path.replace("BOARD", board.id().value()).replace("PERIOD", day.name().value());
  }

  /** Waits for the end of the task that an answer has started. */
  private Answer followed(Answer answer) {
    assertThat(answer.status()).isIn(200, 202);
    String task = answer.header("Location").replace("/api/v1", "");
    Answer followed = api.get(task + "?wait=30");
    while (followed.body().path("state").asString().equals("running")) {
      followed = api.get(task + "?wait=30&seen=" + followed.body().path("progress").size());
    }
    return followed;
  }

  private Answer verb(String path, String body, String... headers) {
    return api.post(at(path), Api.JSON, body, headers);
  }

  /** An empty list of numbers means none, not all. */
  @ParameterizedTest
  @ValueSource(strings = {"accept", "resend"})
  void anEmptyListOfDifferencesWithTheWalletIsRefused(String verb) {
    verb("/wallet/reconcile", "{\"reason\":\"yes\",\"credits\":\"id,amount\\nshop/1,7\\n\"}");
    String path = "/wallet/" + verb;
    for (String none :
        List.of("\"findings\":[]", "\"findings\":[],\"kind\":\"unawarded\"", "\"a\":1")) {
      assertThat(verb(path, "{\"reason\":\"yes\"," + none + "}").status()).as(none).isEqualTo(400);
    }
    assertThat(
            jdbc.sql("select count(*) from wallet_finding where closed_at is null")
                .query(Long.class)
                .single())
        .isEqualTo(1);
    assertThat(verb(path, "{\"reason\":\"yes\",\"kind\":\"unawarded\"}").status()).isEqualTo(200);
  }

  @Test
  void everyListIsJsonCsvASpreadsheetAndATable() {
    world.settle(day);
    for (String path : LISTS) {
      assertThat(api.get(at(path)).status()).as(path).isEqualTo(200);
      Answer table = api.get(at(path), "Accept", "text/plain");
      assertThat(table.type()).as(path).startsWith("text/plain");
      if (!path.endsWith("explanation")) {
        Answer csv = api.get(at(path), "Accept", "text/csv");
        assertThat(csv.type()).as(path).isEqualTo("text/csv;charset=UTF-8");
        String formatted = at(path) + (path.contains("?") ? "&" : "?") + "format=xlsx";
        Answer spreadsheet = api.get(formatted, "Accept", "text/html");
        assertThat(spreadsheet.type()).as(path).startsWith(ListingConverter.type(XLSX).toString());
        assertThat(spreadsheet.response().body()).as(path).startsWith("PK");
        assertThat(spreadsheet.header("Content-Disposition"))
            .as(path)
            .matches("attachment; filename=\"[\\w.-]+\\.xlsx\"");
      }
      assertThat(new Api(port, null).get(at(path)).status()).as(path).isEqualTo(401);
    }
  }

  @Test
  void aPayoutFileSaysWhichOtherFilePaysTheSame() {
    world.settle(day);
    String whole = at("/boards/BOARD/payout");
    String period = at("/boards/BOARD/periods/PERIOD/payout");
    assertThat(notes(whole, "text/plain")).noneMatch(note -> note.contains("pay%20only"));
    assertThat(notes(period, "text/csv"))
        .as("a table is no file")
        .noneMatch(note -> note.contains("pay%20only"));
    assertThat(notes(whole, "application/json"))
        .anySatisfy(
            note ->
                assertThat(note)
                    .contains(day.name().value(), "key%3Aops")
                    .startsWith("pay%20only%20one%20of%20this%20file%20and%20"));
  }

  private List<String> notes(String path, String type) {
    return api.get(path, "Accept", type).response().headers().allValues("Palmares-Note");
  }

  /** A Chinese character takes nine bytes in a header; Tomcat sends 8 KiB of headers. */
  @Test
  void theLongestReasonsOfABatchFitInItsHeadersNextToWhatAPersonCanDo() {
    for (int held = 0; held < 3; held++) {
      Period next = held == 0 ? day : world.open(board);
      String reason = YES.replace("yes", "汉".repeat(499) + held);
      String hold = "/ops/boards/%s/periods/%s/hold".formatted(board.id(), next.name());
      assertThat(api.post(hold, Api.JSON, reason).status()).isEqualTo(200);
      world.pass(Duration.ofDays(1));
    }
    world.pass(Duration.ofDays(1));
    Answer batch = followed(verb("/tasks", "{\"reason\":\"yes\",\"verb\":\"close\",\"all\":true}"));
    assertThat(batch.body().path("state").asString()).isEqualTo("held");
    long id = jdbc.sql("select max(id) from task").query(Long.class).single();
    Answer sums = api.get("/ops/tasks/%d/sums".formatted(id));
    assertThat(sums.status()).as(sums.response().body()).isEqualTo(200);
    List<String> notes = notes("/ops/tasks/%d/sums".formatted(id), "application/json");
    assertThat(notes.stream().filter(note -> note.endsWith("%E6%B1%89%E2%80%A6"))).hasSize(3);
    assertThat(sums.response().headers().allValues("Palmares-Next"))
        .map(step -> URLDecoder.decode(step, UTF_8))
        .map(step -> JsonMapper.shared().readValue(step, Next.class))
        .extracting(step -> step.verb() + " " + step.fields().get("id"))
        .containsExactly("approve-batch " + id, "reject-batch " + id);

    Next approve =
        JsonMapper.shared()
            .readValue(URLDecoder.decode(sums.header("Palmares-Next"), UTF_8), Next.class);
    String digest = String.valueOf(approve.fields().get("expect"));
    JsonNode pays =
        verb(
                "/tasks/%d/approve?dryRun=true".formatted(id),
                YES.replace("}", ",\"expect\":\"%s\"}".formatted(digest)))
            .body()
            .path("pays");
    assertThat(pays.path("digest").asString()).isEqualTo(digest);
    assertThat(pays.path("reasons")).hasSize(3);
    assertThat(pays.path("sums").isObject()).isTrue();
  }

  @Test
  void whatHasNoSpreadsheetIsAProblem() {
    for (String path : List.of("/boards/nowhere/report", "/boards/BOARD/report")) {
      Answer answer = api.get(at(path) + "?format=xlsx");
      assertThat(answer.status()).isIn(404, 409);
      assertThat(answer.type()).startsWith("application/problem+json");
      assertThat(answer.header("Content-Disposition")).isEmpty();
    }
    assertThat(api.get(at("/periods?format=pdf")).body().path("detail").asString())
        .isEqualTo("'format' is one of table, csv, json, xlsx, not 'pdf'");
    assertThat(verb("/exclusions?dryRun=true&format=xlsx", EXCLUDE).type())
        .startsWith("application/json");
    String explained = "/boards/BOARD/periods/PERIOD/members/ann/explanation?format=xlsx";
    assertThat(api.get(at(explained)).type()).contains("spreadsheet");
  }

  @Test
  void allFaultsOfAQueryAreNamedAtOnce() {
    Answer answer = api.get(at("/periods?boards=a&count=1&count=2&stat=x"));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.problem()).endsWith(":unknown-field");
    assertThat(answer.body().path("errors").findValuesAsString("pointer"))
        .containsExactly("/boards", "/count", "/stat");
  }

  @Test
  void pagesOfPeriodsHaveEachOnceInAStableOrder() {
    world.open(world.board(Contest.rules()));
    Answer first = api.get(at("/periods?count=1"));
    assertThat(first.body().size()).isOne();
    String cursor = first.header("Link").replaceAll("<.*after=(.*)>; rel=\"next\"", "$1");
    Answer second = api.get(at("/periods?count=1&after=" + cursor));
    assertThat(second.body().size()).isOne();
    assertThat(second.body().get(0).path("board")).isNotEqualTo(first.body().get(0).path("board"));
    assertThat(second.header("Link")).isEmpty();
  }

  @Test
  void aVerbIsATaskThatIsFollowed() {
    world.due(day);
    Answer closed = followed(verb("/boards/BOARD/periods/PERIOD/close", YES));
    assertThat(closed.body().path("state").asString()).isEqualTo("done");
    assertThat(closed.body().path("by").asString()).isEqualTo("key:ops");
    assertThat(closed.body().path("messages").path(0).path("text").asString())
        .startsWith("settled ");
    assertThat(world.again(day).state().isSettled()).isTrue();
  }

  @Test
  void aVerbThatWaitsForALeaseAnswers202WithTheAddressOfItsTask() {
    world.due(day);
    Lease held = leases.take(day.id(), "another process").orElseThrow();
    Answer running = verb("/boards/BOARD/periods/PERIOD/close", YES);
    assertThat(running.status()).isEqualTo(202);
    assertThat(running.body().path("state").asString()).isEqualTo("running");
    assertThat(running.header("Location"))
        .isEqualTo("/api/v1/ops/tasks/" + running.body().path("id").asLong());
    Answer head = api.send("HEAD", "/ops/tasks/" + running.body().path("id").asLong());
    assertThat(head.status()).as("a read, as GET is").isEqualTo(200);
    assertThat(head.header("Location")).isEmpty();
    leases.release(held);
    assertThat(followed(running).body().path("state").asString()).isEqualTo("done");
    assertThat(world.again(day).state().isSettled()).isTrue();
  }

  @Test
  void aRangeSelectsThePeriodsThatStartInIt() {
    world.pass(Duration.ofDays(1));
    Period second = world.open(board);
    world.pass(Duration.ofDays(1));
    Period third = world.open(board);
    String range = "/periods?board=BOARD&from=%s&to=%s";
    assertThat(names(range.formatted(second.name(), third.name())))
        .containsExactly(second.name().value());
    assertThat(names("/periods?board=BOARD&from=" + second.name()))
        .containsExactly(third.name().value(), second.name().value());
    assertThat(names("/periods?board=BOARD&to=" + second.slot().startsAt()))
        .containsExactly(day.name().value());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/periods", "/boards/BOARD/report", "/boards/BOARD/payout"})
  void aRangeThatEndsBeforeItBeginsOrAsItDoesIsRefused(String path) {
    world.settle(day);
    for (String from : List.of("2999-11-02", "2999-11-01T00:00:00Z")) {
      Answer refused = api.get(at(path) + "?from=%s&to=2999-11-01T00:00:00Z".formatted(from));
      assertThat(refused.status()).as(refused.response().body()).isEqualTo(400);
      assertThat(refused.problem()).endsWith(":invalid-field");
      assertThat(refused.body().path("detail").asString()).startsWith("the range ends at ");
    }
    assertThat(jdbc.sql("select count(*) from payout_file").query(Long.class).single()).isZero();
  }

  private List<String> names(String path) {
    return api.get(at(path))
        .body()
        .valueStream()
        .map(row -> row.path("period").asString())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/members/zoe",
        "/boards/BOARD/members/zoe",
        "/boards/BOARD/members/zoe/record",
        "/boards/BOARD/periods/PERIOD/members/zoe/explanation"
      })
  void aMemberWhomNobodyKnowsIsAProblemOfOneType(String path) {
    Answer unknown = api.get(at(path));
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.problem()).isEqualTo("urn:palmares:problem:unknown-member");
  }

  @Test
  void anExplanationListsTenThousandEventsAtMost() {
    String path = at("/boards/BOARD/periods/PERIOD/members/ann/explanation?events=");
    assertThat(api.get(path + 10_000).status()).isEqualTo(200);
    assertThat(api.get(path + 10_001).problem()).endsWith(":invalid-field");
    assertThat(api.get(path + -1).problem()).endsWith(":invalid-field");
  }

  @Test
  void aBatchOfMoreThanTenThousandPeriodsIsRefused() {
    servers.sql(
        """
        insert into period (
          board, name, starts_at, ends_at, closes_at, definition_hash, opened_at, expires_at)
        select board, 'old-' || n, starts_at - n * interval '1 day', ends_at - n * interval '1 day',
          closes_at - n * interval '1 day', definition_hash, opened_at, expires_at
        from period, generate_series(1, 10000) as n
        """);
    world.due(day);
    Answer refused = verb("/tasks", "{\"reason\":\"yes\",\"verb\":\"close\",\"all\":true}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.problem()).endsWith(":wrong-state");
    assertThat(refused.body().path("detail").asString())
        .contains("more than 10,000 periods for all boards");
    assertThat(tasks()).isZero();
  }

  /** Sentences contain what people have typed, so no number is read from them. */
  @Test
  void theTaskOfABatchHasItsNumber() {
    String hold = YES.replace("yes", "see batch 999: it counts");
    assertThat(verb("/boards/BOARD/periods/PERIOD/hold", hold).status()).isEqualTo(200);
    world.due(day);
    Answer closed =
        followed(verb("/tasks", "{\"reason\":\"yes\",\"verb\":\"close\",\"all\":true}"));
    assertThat(closed.body().path("messages").path(0).path("text").asString())
        .contains("see batch 999: it");
    long batch =
        jdbc.sql("select id from task where target is not null").query(Long.class).single();
    assertThat(closed.body().path("id").asLong()).isEqualTo(batch);
    assertThat(closed.body().path("items").asLong()).isPositive();
    assertThat(verb("/exclusions", EXCLUDE).body().path("items").isMissingNode()).isTrue();
  }

  @Test
  void aDryRunNamesTwentyMembersAndSaysHowManyMoreThereAre() {
    String lines =
        IntStream.rangeClosed(1, 23)
            .mapToObj("\\nm%d,hidden,bot"::formatted)
            .collect(Collectors.joining());
    String file = "{\"reason\":\"bots\",\"allowUnknown\":true,\"csv\":\"member,level,reason%s\"}";
    assertThat(
            verb("/exclusions/file?dryRun=true", file.formatted(lines))
                .body()
                .path("messages")
                .valueStream()
                .map(message -> message.path("text").asString()))
        .startsWith("23 exclusions would be in force", "m1: hidden on all boards")
        .contains("m20: hidden on all boards", "and 3 more members")
        .doesNotContain("m21: hidden on all boards");
  }

  @Test
  void aDryRunChangesNothing() {
    world.due(day);
    Answer dry = verb("/boards/BOARD/periods/PERIOD/close?dryRun=true", YES);
    assertThat(dry.status()).isEqualTo(200);
    assertThat(dry.body().path("id").isMissingNode()).isTrue();
    assertThat(dry.body().path("messages").toString()).contains("100 credits to 1 member");
    assertThat(world.again(day)).isEqualTo(day);
    assertThat(verb("/exclusions?dryRun=true", EXCLUDE).body().path("messages").toString())
        .contains("ann would be hidden on all boards");
    assertThat(api.get("/ops/exclusions").body()).isEmpty();
    assertThat(tasks()).isZero();
  }

  @Test
  void theDryRunOfAnAmendmentOffersNoRevisionToApprove() {
    world.settle(day);
    String amend = "/boards/BOARD/periods/PERIOD/amend";
    String body = "{\"reason\":\"yes\",\"points\":{\"ann\":0}}";
    Answer dry = verb(amend + "?dryRun=true", body);
    assertThat(dry.body().path("state").asString()).isEqualTo("held");
    assertThat(dry.body().path("next")).isEmpty();
    assertThat(verb(amend, body).body().at("/next/0/fields/revision").asInt()).isEqualTo(2);
  }

  @Test
  void aDryRunNamesTwentyExclusionsAndSaysHowManyMoreThereAre() {
    var csv = new StringBuilder("member,level,reason");
    IntStream.rangeClosed(1, 20).forEach(n -> csv.append("\\nm%d,hidden,bot".formatted(n)));
    String request = "{\"reason\":\"yes\",\"allowUnknown\":true,\"csv\":\"%s\"}";
    String path = "/exclusions/file?dryRun=true";
    assertThat(verb(path, request.formatted(csv)).response().body())
        .contains("20 exclusions would be in force", "m20: hidden")
        .doesNotContain(" more");
    assertThat(verb(path, request.formatted(csv.append("\\nm21,hidden,bot"))).response().body())
        .contains("21 exclusions would be in force", "m20: hidden", "and 1 more")
        .doesNotContain("m21");
  }

  @Test
  void aKeyBelongsToOneRequest() {
    world.settle(day);
    Answer first = verb("/exclusions", EXCLUDE, "Idempotency-Key", "k1");
    Answer again = verb("/exclusions", EXCLUDE, "Idempotency-Key", "k1");
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(tasks()).isOne();
    assertThat(verb("/exclusions", EXCLUDE, "Idempotency-Key", "\"k1\"").body())
        .as("in quotes")
        .isEqualTo(first.body());
    assertThat(
            verb("/exclusions", EXCLUDE, "Idempotency-Key", "k2", "Idempotency-Key", "k3")
                .problem())
        .as("two keys")
        .endsWith(":invalid-idempotency-key");
    Answer other = verb("/exclusions", EXCLUDE.replace("bot", "cheat"), "Idempotency-Key", "k1");
    assertThat(other.status()).isEqualTo(422);
    assertThat(other.problem()).endsWith("idempotency-key-reused");
  }

  /** The process that ran it died before it could store the end. */
  @Test
  void anAbandonedTaskRunsAgainUnderItsKey() {
    world.due(day);
    Answer first =
        followed(verb("/boards/BOARD/periods/PERIOD/close", YES, "Idempotency-Key", "k2"));
    long id = first.body().path("id").asLong();
    jdbc.sql(
            """
            update task set state = 'running', ended_at = null, runner = 'dead:1',
              runner_until = '2000-01-01'
            where id = :id
            """)
        .param("id", id)
        .update();
    assertThat(api.get("/ops/tasks/" + id).body().path("state").asString())
        .as("the period is settled")
        .isEqualTo("done");
    Answer again =
        followed(verb("/boards/BOARD/periods/PERIOD/close", YES, "Idempotency-Key", "k2"));
    assertThat(again.body().path("id").asLong()).isEqualTo(id);
    assertThat(again.body().path("messages").path(0).path("text").asString())
        .contains("nothing was changed");
  }

  /** Its process died after the approval, and a sweep has paid the period since. */
  @Test
  void anAbandonedApprovalThatTookEffectIsDoneWhenItIsRepeated() {
    String path = "/boards/BOARD/periods/PERIOD";
    world.due(day);
    followed(verb(path + "/hold", YES));
    followed(verb(path + "/close", YES));
    String digest = revisions.find(day.id(), 1).orElseThrow().digest();
    String body = "{\"reason\":\"yes\",\"expect\":\"%s\"}".formatted(digest);
    Answer first = followed(verb(path + "/approve", body, "Idempotency-Key", "k3"));
    assertThat(first.body().path("state").asString()).isEqualTo("done");
    jdbc.sql(
            """
            update task set state = 'running', ended_at = null, runner = 'dead:1',
              runner_until = '2000-01-01'
            where id = :id
            """)
        .param("id", first.body().path("id").asLong())
        .update();
    Answer again = followed(verb(path + "/approve", body, "Idempotency-Key", "k3"));
    assertThat(again.body().path("id")).isEqualTo(first.body().path("id"));
    assertThat(again.body().path("state").asString()).isEqualTo("done");
    assertThat(again.body().path("messages").path(0).path("text").asString())
        .contains("was already approved by ");
    Answer other = verb(path + "/approve", body, "Idempotency-Key", "k4");
    assertThat(other.status()).as("another call").isEqualTo(200);
    assertThat(other.body().path("state").asString()).isEqualTo("done");
    assertThat(verb(path + "/approve", body.replace(digest, "00000000")).problem())
        .as("another digest")
        .endsWith("wrong-state");
    assertThat(verb(path + "/approve", body.replace(digest, "latest")).problem())
        .as("no digest")
        .endsWith("invalid-field");
  }

  @Test
  void anExclusionNamesThePeriodThatIsBeingRanked() {
    servers.sql("alter table payment_shared add constraint killed check (amount = 0) not valid");
    try {
      assertThat(world.close(day).outcome()).isEqualTo(ClosingResult.Status.FAILED);
    } finally {
      servers.sql("alter table payment_shared drop constraint killed");
    }
    assertThat(world.again(day).state()).isEqualTo(PeriodState.SEALED);
    assertThat(verb("/exclusions?dryRun=true", EXCLUDE).response().body())
        .doesNotContain("being ranked");
    Lease closing = leases.take(day.id(), "another process").orElseThrow();
    assertThat(
            verb("/exclusions", EXCLUDE.replace("\"ann\"", "\"stranger\",\"allowUnknown\":true"))
                .response()
                .body())
        .doesNotContain("being ranked");
    assertThat(verb("/exclusions", EXCLUDE).response().body())
        .contains("being ranked, perhaps with other exclusions: " + day.label());
    leases.release(closing);
  }

  @Test
  void aStaleViewIsRefused() {
    String path = "/boards/BOARD/periods/PERIOD";
    String seen = api.get(at(path)).header("ETag");
    world.settle(day);
    Answer stale = verb(path + "/close", YES, "If-Match", seen);
    assertThat(stale.status()).isEqualTo(412);
    assertThat(stale.problem()).endsWith("stale-view");
    String now = api.get(at(path)).header("ETag");
    assertThat(now).isNotEqualTo(seen);
    String former = "\"0123456789abcdef\"";
    assertThat(verb(path + "/close", YES, "If-Match", former, "If-Match", "W/" + now).status())
        .as("a weak tag")
        .isEqualTo(412);
    assertThat(verb(path + "/close", YES, "If-Match", former, "If-Match", now).status())
        .as("one of two headers")
        .isIn(200, 202);
  }

  /** The methods of an address do not depend on its query, version or format. */
  @Test
  void headIsAnsweredAsGetAndOptionsWithoutConditions() {
    String path = at("/boards/BOARD/periods/PERIOD");
    for (String of : List.of(path, "/boards/%s/periods/%s".formatted(board.id(), day.name()))) {
      assertThat(api.send("HEAD", of, "If-Match", "\"x\"").status())
          .isEqualTo(api.get(of, "If-Match", "\"x\"").status())
          .isEqualTo(200);
      Answer methods = api.send("OPTIONS", of + "?x=1", "Accept", "text/csv", "If-Match", "\"x\"");
      assertThat(methods.status()).isEqualTo(200);
      assertThat(methods.header("Allow")).contains("GET", "HEAD");
    }
    assertThat(api.send("OPTIONS", path + "/close", "Accept", "text/csv").header("Allow"))
        .contains("POST");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /close                                     | {}                                  | 400 | missing-field
          /close                                     | {"reason":""}                       | 400 | invalid-field
          /close                                     | {"reason":"yes","raeson":"x"}       | 400 | unknown-field
          /close                                     | {"reason":"yes","waitSeconds":"x"}  | 400 | invalid-field
          /close                                     | {"reason":"yes","waitSeconds":-1}   | 400 | invalid-field
          /close                                     | [1]                                 | 400 | malformed
          /close?dryRun=maybe                        | {"reason":"yes"}                    | 400 | invalid-field
          /boards/nope/periods/PERIOD/close          | {"reason":"yes"}                    | 404 | unknown-board
          /boards/BOARD/periods/nope/close           | {"reason":"yes"}                    | 404 | unknown-period
          /boards/BOARD/periods/PERIOD/close         | {"reason":"yes"}                    | 409 | wrong-state
          /boards/BOARD/periods/PERIOD/approve       | {"reason":"yes"}                    | 409 | wrong-state
          /boards/BOARD/periods/PERIOD/reject        | {"reason":"yes"}                    | 409 | wrong-state
          /boards/BOARD/periods/PERIOD/restart       | {"reason":"yes"}                    | 409 | wrong-state
          /boards/BOARD/periods/PERIOD/amend         | {"reason":"yes"}                    | 409 | wrong-state
          /boards/BOARD/periods/PERIOD/lift-hold     | {"reason":"yes"}                    | 409 | wrong-state
          /exclusions                                | {"reason":"yes","member":"ann"}     | 400 | missing-field
          /outbox/retry                              | {"reason":"yes","target":"x"}       | 404 | unknown-object
          /archive                                   | {"reason":"yes"}                    | 400 | missing-field
          /archive                                   | {"reason":"yes","before":"soon"}    | 400 | invalid-field
          /archive                          | {"reason":"yes","before":"2026-01-01"}       | 400 | invalid-field
          /memory/drop-orphans                       | {"reason":"yes"}                    | 400 | invalid-field
          /outbox/retry                              | {"reason":"yes"}                    | 400 | invalid-field
          /outbox/retry                     | {"reason":"yes","target":"x","all":true}     | 400 | invalid-field
          /outbox/forget                             | {"reason":"yes","all":true}         | 400 | missing-field
          /exclusions/lift                           | {"reason":"yes","member":"ann"}     | 400 | invalid-field
          /tasks                                   | {"reason":"yes","verb":"close"}     | 400 | invalid-field
          /tasks  | {"reason":"yes","verb":"close","all":true,"board":"race"}            | 400 | invalid-field
          /archive                                   | {"reason":"yes","folder":"/etc"}    | 400 | unknown-field
          /archive                                   | {"reason":"yes","before":"2026-01-01","board":"nope"} | 404 | unknown-board
          """)
  void badInputIsAProblemAndChangesNothing(String path, String body, int status, String problem) {
    Answer refused = verb(path, body);
    assertThat(refused.status()).as(refused.response().body()).isEqualTo(status);
    assertThat(refused.problem()).isEqualTo("urn:palmares:problem:" + problem);
    assertThat(tasks()).isZero();
    assertThat(world.again(day).state()).isEqualTo(day.state());
  }

  @Test
  void aBodyThatIsNoJsonIsAnsweredWithItsPlaceInOurWords() {
    assertThat(fault("/close", "{\"reason\": \"yes\",\n \"waitSeconds\" 1}"))
        .isEqualTo(
            "the body is not valid JSON, at line 2, column 16: '1' is wrong here; ':' is expected"
                + " between the name of a field and its value");
    assertThat(fault("/close", "{\"reason\": \"yes\", \"reason\": \"no\"}"))
        .endsWith("a field is sent twice: send each once");
    assertThat(fault("/close", "{\"reason\": \"yes\""))
        .endsWith("the text ends too early: close each quote, bracket and brace");
    assertThat(tasks()).isZero();
  }

  private String fault(String path, String body) {
    return verb(path, body).body().path("detail").asString();
  }

  @Test
  void allFaultsOfARequestAreNamedAtOnce() {
    Answer refused =
        verb(
            "/exclusions",
            "{'member':'','levl':1,'level':'hiden','from':'soon'}".replace('\'', '"'));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.problem()).endsWith("unknown-field");
    assertThat(refused.body().path("errors").valueStream())
        .extracting(
            error -> error.path("pointer").asString() + ": " + error.path("text").asString())
        .satisfiesExactlyInAnyOrder(
            levl -> assertThat(levl).startsWith("/levl: ").contains("did you mean 'level'"),
            reason -> assertThat(reason).isEqualTo("/reason: the field 'reason' is missing"),
            member -> assertThat(member).startsWith("/member: "),
            level -> assertThat(level).startsWith("/level: ").contains("did you mean 'hidden'"),
            from -> assertThat(from).startsWith("/from: ").contains("not 'soon'"));
    assertThat(tasks()).isZero();
  }

  @Test
  void anIdThatNoBoardOrPeriodCanHaveIsMalformed() {
    String board = this.board.id().value();
    assertThat(verb("/boards/" + board.toUpperCase(Locale.ROOT) + "/pause", YES).body().toString())
        .contains("invalid-field", "did you mean '" + board + "'", "/board");
    assertThat(verb("/boards/%s/periods/no!/close".formatted(board), YES).body().toString())
        .contains("invalid-field", "no name of a period", "/period");
  }

  @Test
  void aPeriodIsUpcomingUntilItBegins() {
    timeline.prepare(board);
    Period next = periods.at(board.id(), day.slot().endsAt()).orElseThrow();
    assertThat(namesIn("upcoming")).containsExactly(next.name().value());
    assertThat(namesIn("open")).containsExactly(day.name().value());
    String path = "/boards/%s/periods/%s".formatted(board.id(), next.name());
    Answer before = api.get(path);
    assertThat(before.body().path("state").asString()).isEqualTo("upcoming");
    assertThat(before.body().path("members").asInt()).isZero();
    assertThat(api.get("/ops" + path).body().path(0).path("state").asString())
        .isEqualTo("upcoming");
    assertThat(api.get("/ops/periods?state=Open").status()).isEqualTo(400);

    world.now(next.slot().startsAt());
    assertThat(namesIn("upcoming")).isEmpty();
    assertThat(namesIn("open")).hasSize(2);
    Answer begun = api.get(path, "If-None-Match", before.header("ETag"));
    assertThat(begun.status()).isEqualTo(200);
    assertThat(begun.body().path("state").asString()).isEqualTo("open");
  }

  private List<String> namesIn(String state) {
    return api.get("/ops/periods?state=" + state)
        .body()
        .valueStream()
        .map(row -> row.path("period").asString())
        .toList();
  }

  @Test
  void aReasonOfTenKilobytesAndAnInvalidKeyAreRefused() {
    assertThat(verb("/close", YES.replace("yes", "x".repeat(10_000))).problem())
        .endsWith("invalid-field");
    for (String character : List.of("x", "汉", "🏆")) {
      String longest = YES.replace("yes", character.repeat(500));
      assertThat(verb("/close?dryRun=true", longest).status()).as(character).isEqualTo(200);
      assertThat(verb("/close?dryRun=true", longest.replace(":\"", ":\"x")).problem())
          .as(character)
          .endsWith("invalid-field");
    }
    // As for events.
    for (String key :
        List.of("\"", "\"a", "a b", "\"a b\"", "a\"b", "\"\"", "\"a\"b\"", "k".repeat(256))) {
      assertThat(verb("/close", YES, "Idempotency-Key", key).problem())
          .as(key)
          .endsWith("invalid-idempotency-key");
    }
    assertThat(tasks()).isZero();
  }

  @Test
  void aTextThatASpreadsheetOrATerminalWouldRunIsNeutral() {
    assertThat(verb("/exclusions", EXCLUDE.replace("bot", "\\u001b[2J")).problem())
        .endsWith("invalid-field");
    exclusions.exclude(
        Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN), "=1+1\u001b[2J", "boss");
    assertThat(api.get("/ops/exclusions", "Accept", "text/csv").response().body())
        .contains(",'=1+1\u001b[2J,");
    assertThat(api.get("/ops/exclusions", "Accept", "text/csv;raw=true").response().body())
        .contains(",=1+1\u001b[2J,");
    assertThat(api.get("/ops/exclusions", "Accept", "text/plain").response().body())
        .contains("=1+1\\u001b[2J");
  }

  @Test
  void aDayOfAnExclusionBeginsWhenTheDaysOfItsBoardDo() {
    Board board = world.board(Rules.day().with("starts-at: 04:00"));
    String terms = "{\"board\":\"%s\",\"from\":\"2026-11-21\",\"reason\"".formatted(board.id());
    assertThat(verb("/exclusions", EXCLUDE.replace("{\"reason\"", terms)).status()).isEqualTo(200);
    assertThat(jdbc.sql("select starts_at from exclusion").query(Instant.class).list())
        .containsExactly(Instant.parse("2026-11-21T04:00:00Z"));
  }

  @Test
  void anExportOfExclusionsIsAFileOfTheSameExclusions() {
    List<String> reasons = List.of("=1+1", "'=1+1", "''", "a bot");
    for (int i = 0; i < reasons.size(); i++) {
      exclusions.exclude(
          Terms.always(new MemberId("m" + i), ExclusionLevel.HIDDEN), reasons.get(i), "boss");
    }
    String csv = api.get("/ops/exclusions", "Accept", "text/csv").response().body();
    assertThat(
            new ExclusionFile(null, board -> Days.of(ZoneOffset.UTC)).read(new StringReader(csv)))
        .extracting(Exclusions.Request::reason)
        .containsExactlyInAnyOrderElementsOf(reasons);
  }

  /** The API refuses such a reason, and shows one that is stored in another way as it is. */
  @Test
  void aReasonCannotWriteOverWhatAnApproverReads() {
    String forged = "\n\u001b[2J\u001b[1;1Hit pays 10 credits";
    String shown = "yes\\u000a\\u001b[2J\\u001b[1;1Hit pays 10 credits";
    assertThat(
            verb("/boards/BOARD/periods/PERIOD/hold", YES.replace("yes", "\\u001b[2J")).problem())
        .endsWith("invalid-field");
    assertThat(verb("/boards/BOARD/periods/PERIOD/hold", YES).status()).isEqualTo(200);
    jdbc.sql("update person_hold set reason = reason || ?").param(forged).update();
    Answer table = api.get(at("/boards/BOARD/periods/PERIOD/preview"), "Accept", "text/plain");
    assertThat(table.response().body()).contains(shown).doesNotContain("\u001b");
    Answer csv = api.get(at("/boards/BOARD/periods/PERIOD/preview"), "Accept", "text/csv");
    assertThat(csv.response().headers().allValues("Palmares-Note").toString())
        .contains("Hit%20pays%2010%20credits")
        .doesNotContain("%1B", "%0A");
    world.close(day);
    var other = new Api(port, Api.ownKey(keys, "other", "another", Role.APPROVER));
    String seen = api.get(at("/boards/BOARD/periods/PERIOD")).header("ETag");
    Answer approved =
        followed(
            other.post(
                at("/boards/BOARD/periods/PERIOD/approve"), Api.JSON, YES, "If-Match", seen));
    assertThat(approved.body().path("state").asString()).isEqualTo("done");
    Answer manifest = api.get(at("/boards/BOARD/periods/PERIOD/manifest"), "Accept", "text/plain");
    assertThat(manifest.response().body())
        .contains("[1;1Hit pays 10 credits")
        .doesNotContain("\u001b");
  }

  @Test
  void thePageOfTheApiComesFromThisServerAlone() {
    Answer page = api.get("/../../docs");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Security-Policy")).startsWith("default-src 'none'");
    assertThat(page.response().body()).contains("\"docs/docs.js\"").doesNotContain("http");
    for (String file : new String[] {"docs.js", "swagger-ui-bundle.js", "swagger-ui.css"}) {
      assertThat(api.get("/../../docs/" + file).status()).as(file).isEqualTo(200);
    }
    assertThat(api.get("/../../docs/x").status()).isEqualTo(404);
  }

  private long tasks() {
    return jdbc.sql("select count(*) from task where not is_refused").query(Long.class).single();
  }
}

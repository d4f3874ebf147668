package palmares.api.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.api.identity.ApiKeys;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/** Statuses and problems of the events endpoint. */
@WorldTest
class EventsApiTest {
  private static final String NDJSON = "application/x-ndjson";
  private static final String ACTIONS =
      "actions: { like: 1, coin: { points: 1, max-quantity: 150 }, invite: 100 }";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private ApiKeys keys;
  @Autowired private MeterRegistry metrics;
  @Autowired private Servers servers;
  @LocalServerPort private int port;

  private Board board;
  private Api api;

  @BeforeEach
  void createABoardAndAKey() {
    board = world.board(Rules.day().with("clock: event").with("max-points: 150").with(ACTIONS));
    api = new Api(port, Api.key(keys, "tests"));
  }

  @Test
  void anEventThatCountsReturnsItsOutcome() {
    Answer answer = api.post(event("e1", "ann", "like"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().toString())
        .isEqualTo(
            """
            {"id":"e1","outcome":"applied","boards":[{"board":"%s","period":"2026-11-20",\
            "outcome":"applied","change":1,"points":1}]}\
            """
                .formatted(board.id()));
    assertThat(api.post(event("e1", "ann", "like")).body().path("outcome").asString())
        .isEqualTo("duplicate");
  }

  @Test
  void theStatusOfASingleEventReflectsItsOutcome() {
    api.post(event("e1", "ann", "invite"));
    assertProblem(api.post(event("e2", "ann", "invite")), 422, "max-points");
    assertProblem(api.post(event("e3", "ann", "dance")), 422, "unknown-action");
    assertProblem(api.post(event("e4", "", "like")), 400, "invalid-field");
    assertProblem(api.post("{'id': 'e5'}"), 400, "missing-field");
    assertProblem(api.post("{'id': 'e6', 'points': 1e3}"), 400, "unknown-field");
    assertProblem(
        api.post(event("e7", "ann", "like").replace("2026-11-20", "2026-11-01")), 409, "late");
    assertProblem(
        api.post(event("e8", "ann", "like").replace("2026-", "2027-")), 422, "future-time");
    assertThat(records.number("select count(*) from late_event")).isEqualTo(1);
  }

  @Test
  void aRefusalIsDataWhoseTextIsInTheLanguageOfTheCaller() {
    String dance = event("e1", "ann", "dance").replace('\'', '"');
    String path = "/events";
    Answer one = api.post(path, "application/json", dance, "Accept-Language", "zh");
    assertProblem(one, 422, "unknown-action");
    assertThat(one.body().path("code").asString()).isEqualTo("event.unknown-action");
    assertThat(one.body().path("values").toString()).isEqualTo("{\"action\":\"dance\"}");
    assertThat(one.body().path("detail").asString()).isEqualTo("没有榜单计入操作“dance”");
    Answer several = api.post(path, "application/json", "[%s]".formatted(dance));
    assertThat(several.body().get(0).path("detail").asString())
        .isEqualTo("no board counts the action 'dance'");
  }

  @Test
  void eventsThatCannotBeReadAreCountedWithTheOthers() {
    double malformed = counted("none", "refused", "malformed");
    double unknown = counted("none", "refused", "unknown-field");
    api.post("{'id': ");
    api.post("[%s, 7, {'id': 'e6', 'points': 1e3}]".formatted(event("e1", "ann", "like")));
    api.post(NDJSON, "nonsense\n" + event("e2", "ann", "like").replace('\'', '"'));
    assertThat(counted("none", "refused", "malformed") - malformed).isEqualTo(3);
    assertThat(counted("none", "refused", "unknown-field") - unknown).isEqualTo(1);
    assertThat(counted(board.id().value(), "applied", "none")).isEqualTo(2);
  }

  @Test
  void eventsThatWereTakenAreCountedEvenIfOthersOfTheirRequestFail() {
    world.open(board);
    world.pass(Duration.ofDays(2));
    String name = "no late event is stored";
    servers.sql(
        "alter table late_event add constraint \"%s\" check (false) not valid".formatted(name));
    try {
      String late = event("e2", "ann", "like");
      String timely = event("e3", "ann", "like").replace("2026-11-20", "2026-11-22");
      assertThat(api.post("[%s, %s]".formatted(timely, late)).status()).isEqualTo(500);
    } finally {
      servers.sql("alter table late_event drop constraint \"%s\"".formatted(name));
    }
    assertThat(counted(board.id().value(), "applied", "none")).isEqualTo(1);
    assertThat(counted(board.id().value(), "late", "late")).isZero();
  }

  private double counted(String board, String outcome, String reason) {
    Counter counter =
        metrics
            .find("palmares.events")
            .tags("board", board, "outcome", outcome, "reason", reason)
            .counter();
    return counter == null ? 0 : counter.count();
  }

  @Test
  void aRefusedEventReturnsAProblemWithItsOutcome() {
    String future = event("e1", "ann", "like").replace("2026-", "2027-");
    JsonNode problem = api.post(future).body();
    JsonNode listed = api.post("[" + future + "]").body().path(0);
    assertThat(problem.path("outcome").asString()).isEqualTo("refused");
    for (String field : listed.propertyNames()) {
      assertThat(problem.path(field)).as(field).isEqualTo(listed.path(field));
    }
  }

  @Test
  void anArrayReturnsOutcomesInOrder() {
    Answer answer =
        api.post(
            "[%s, 7, %s, {}, %s]"
                .formatted(
                    event("e1", "ann", "like"),
                    event("e1", "ann", "like"),
                    event("e2", "bob", "like")));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().findValuesAsString("reason"))
        .containsExactly("malformed", "missing-field");
    var outcomes = new ArrayList<String>();
    answer.body().forEach(each -> outcomes.add(each.path("outcome").asString()));
    assertThat(outcomes).containsExactly("applied", "refused", "duplicate", "refused", "applied");
  }

  @Test
  void linesReturnOutcomesInOrder() {
    String lines =
        (event("e1", "ann", "like") + "\r\n\nnonsense\n" + event("e2", "bob", "like"))
            .replace('\'', '"');
    Answer answer = api.post(NDJSON, lines);
    assertThat(answer.type()).startsWith(NDJSON);
    assertThat(answer.response().body().lines())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("{\"id\":\"e1\",\"outcome\":\"applied\""),
            second ->
                assertThat(second)
                    .startsWith("{\"outcome\":\"refused\",\"reason\":\"malformed\"")
                    .contains("not valid JSON, at line 3, column "),
            third -> assertThat(third).startsWith("{\"id\":\"e2\",\"outcome\":\"applied\""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "like",
        "{",
        "[",
        "{} {}",
        "{'id': 'a', 'id': 'b'}",
        "{'quantity': NaN}",
        "{'quantity': 01}",
        "\u0000"
      })
  void aBodyThatIsNotJsonIsABadRequest(String body) {
    assertProblem(api.post(body), 400, "malformed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e3", "9007199254740993", "1.5", "-1", "0", "'1'", "1e999"})
  void anInexactQuantityIsABadRequestAndStoresNothing(String quantity) {
    String event = event("e1", "ann", "coin").replace("}", ", 'quantity': " + quantity + "}");
    assertProblem(api.post(event), 400, "invalid-field");
    assertThat(records.live(world.open(board))).isEmpty();
  }

  @Test
  void aRequestThatIsTooLargeStoresNothing() {
    assertProblem(api.post(" ".repeat(8 << 20) + "[]"), 413, "too-large");
    assertProblem(api.post("[" + "1,".repeat(10_000) + "1]"), 413, "too-many-events");
    assertProblem(api.post(NDJSON, "1\n".repeat(10_001)), 413, "too-many-events");
    assertThat(api.post("[" + "1,".repeat(9_999) + "1]").status()).isEqualTo(200);
  }

  @Test
  void bodiesOfOtherTypesAndOtherMethodsAreRefused() {
    assertProblem(api.post("text/plain", "{}"), 415, "");
    assertProblem(api.send("GET", "/events"), 405, "");
    assertProblem(api.send("DELETE", "/events"), 405, "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "en | Method not allowed | this address does not take DELETE: use POST",
        "zh | 不支持该请求方法 | 此地址不支持 DELETE：请使用 POST"
      })
  void whatTheFrameworkRefusesIsDataInTheLanguageOfTheReader(
      String language, String title, String detail) {
    JsonNode problem = api.send("DELETE", "/events", "Accept-Language", language).body();
    assertThat(problem.path("type").asString())
        .isEqualTo("urn:palmares:problem:method-not-allowed");
    assertThat(problem.path("title").asString()).isEqualTo(title);
    assertThat(problem.path("detail").asString()).isEqualTo(detail);
    assertThat(problem.path("code").asString()).isEqualTo("http.other-method");
    assertThat(problem.at("/values/methods/0").asString()).isEqualTo("POST");
  }

  /** The usual spelling of the path has another chain of filters than the others. */
  @ParameterizedTest
  @ValueSource(strings = {"/events", "/%65vents", "/events;v=1"})
  void writingNeedsAValidKey(String path) {
    String revoked = Api.key(keys, "revoked");
    assertThat(keys.revoke(revoked.split("_")[1], "tester", "test")).isEqualTo(1);
    String body = event("e1", "ann", "like").replace('\'', '"');
    for (Api stranger :
        new Api[] {
          new Api(port, null),
          new Api(port, ""),
          new Api(port, "no key"),
          new Api(port, "pal_x_y"),
          new Api(port, revoked)
        }) {
      Answer answer = stranger.post(path, Api.JSON, body);
      assertProblem(answer, 401, "unauthorized");
      assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"palmares\"");
    }
    Answer basic = new Api(port, null).post(path, Api.JSON, body, "Authorization", "Basic YTpi");
    assertProblem(basic, 401, "unauthorized");
    assertThat(records.live(world.open(board))).isEmpty();
    String key = Api.key(keys, "lower");
    Answer lower = new Api(port, null).post(path, Api.JSON, body, "Authorization", "bearer " + key);
    assertThat(lower.status()).as(lower.response().body()).isEqualTo(200);
  }

  @Test
  void aKeyForOtherBoardsIsForbidden() {
    Board other = world.board(Rules.day().with("actions: { dance: 1 }"));
    Api dancer = new Api(port, Api.key(keys, "dancer", other.id()));
    assertProblem(dancer.post(event("e1", "ann", "like")), 403, "forbidden");
    assertProblem(
        dancer.post(event("e2", "ann", "dance").replace("}", ", 'board': '" + board.id() + "'}")),
        403,
        "forbidden");
    assertThat(dancer.post(event("e3", "ann", "dance")).status()).isEqualTo(200);
  }

  @Test
  void onlyTheHashOfAKeyIsStored() {
    String key = Api.key(keys, "secret");
    String secret = key.split("_", 3)[2];
    assertThat(secret).hasSizeGreaterThan(40);
    assertThat(records.words("select api_secret::text from api_secret"))
        .isNotEmpty()
        .noneMatch(row -> row.contains(secret));
  }

  private static String event(String id, String member, String action) {
    return "{'id': '%s', 'member': '%s', 'action': '%s', 'occurredAt': '2026-11-20T09:00:00Z'}"
        .formatted(id, member, action);
  }

  private static void assertProblem(Answer answer, int status, String problem) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
    assertThat(answer.type()).isEqualTo("application/problem+json");
    assertThat(answer.body().path("status").asInt()).isEqualTo(status);
    if (!problem.isEmpty()) {
      assertThat(answer.problem()).isEqualTo("urn:palmares:problem:" + problem);
      assertThat(answer.body().path("detail").asString()).isNotEmpty();
    }
  }
}

package palmares.api.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.api.identity.ApiKeys;
import palmares.api.roles.Role;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Contest;
import palmares.testing.Contract;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/** What no client means, at every operation of the OpenAPI document. */
@WorldTest
class BadInputTest {
  private static final String OPS = "/api/v1/ops";
  private static final String JSON = "application/json";

  /** Texts that no field takes, or that are of another type. */
  private static final Map<String, List<String>> WRONG =
      Map.of(
          "string", List.of("\"\\ud800\"", "\"a\\u0000b\"", "5", "true", "[]"),
          "integer", List.of("1.5", "\"1\"", "true", "1e30"),
          "boolean", List.of("1", "\"true\"", "\"\""),
          "array", List.of("[null]", "{}", "\"x\""));

  @Autowired private World world;
  @Autowired private ApiKeys keys;
  @Autowired private JdbcClient jdbc;
  @LocalServerPort private int port;

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> wrong = new ArrayList<>();
  private String key;
  private Board board;
  private Period day;
  private int calls;

  /** An operation as the document describes it. */
  private record Operation(String method, String path, JsonNode item, JsonNode operation) {
    boolean isVerb() {
      return path.startsWith(OPS) && method.equals("POST");
    }

    boolean hasDryRun() {
      return queries().contains("dryRun");
    }

    List<String> queries() {
      var names = new ArrayList<String>();
      for (JsonNode parameters : List.of(item.path("parameters"), operation.path("parameters"))) {
        for (JsonNode parameter : parameters) {
          JsonNode known = resolved(parameter);
          if (known.path("in").asString().equals("query")) {
            names.add(known.path("name").asString());
          }
        }
      }
      return names;
    }

    JsonNode body() {
      JsonNode body = resolved(operation.path("requestBody"));
      return resolved(body.path("content").path(JSON).path("schema"));
    }

    private static JsonNode resolved(JsonNode node) {
      String at = node.path("$ref").asString("");
      return at.isEmpty() ? node : resolved(Contract.DOCUMENT.at(at.substring(1)));
    }
  }

  private static List<Operation> operations() {
    var operations = new ArrayList<Operation>();
    for (var path : Contract.DOCUMENT.path("paths").properties()) {
      for (var method : path.getValue().properties()) {
        if (!method.getKey().equals("parameters")) {
          operations.add(
              new Operation(
                  method.getKey().toUpperCase(Locale.ROOT),
                  path.getKey(),
                  path.getValue(),
                  method.getValue()));
        }
      }
    }
    return operations;
  }

  @BeforeEach
  void openAPeriod() {
    board = world.board(Contest.rules());
    day = world.open(board);
    world.take(Contest.facts());
    key = Api.ownKey(keys, "attacker", "ann", Role.values());
  }

  @Test
  void aNumberThatIsNamedTwiceIsRefusedAsItWasSent() {
    var api = new Api(port, key);
    String top = "/boards/%s/periods/%s/top?count=x&count=%s".formatted(board.id(), day.name(), 7);
    assertThat(api.get(top).body().path("detail").asString()).endsWith("not 'x,7'");
  }

  @Test
  void whatNobodyMeansIsAProblemEverywhereAndHasNoEffect() throws Exception {
    Map<String, Object> before = state();
    for (Operation operation : operations()) {
      if (operation.path().equals("/login")
          || operation.path().endsWith("/stream")
          || operation.path().startsWith("/api/v1/imports")) {
        continue; // limited to a few attempts; endless; and of one import, which it must begin
      }
      query(operation);
      types(operation);
      body(operation);
    }
    assertThat(wrong).isEmpty();
    assertThat(calls).isGreaterThan(1_000);
    assertThat(state()).isEqualTo(before);
  }

  /** The tables that verbs change at least one of. */
  private Map<String, Object> state() {
    return jdbc.sql(
            """
            select
              (select count(*) from task where not is_refused) as tasks,
              (select count(*) from audit_entry) as entries,
              (select count(*) from member) as members,
              (select string_agg(name || state, ' ' order by id) from period) as periods
            """)
        .query()
        .singleRow();
  }

  private void query(Operation operation) throws Exception {
    for (String name : operation.queries()) {
      HttpResponse<String> nul = send(operation, name + "=%00", JSON, JSON, "{\"reason\":\"x\"}");
      if (nul.statusCode() != 200 || operation.isVerb()) {
        requireProblem(operation, "NUL in " + name, nul, 400, 404, 409, 422);
      }
    }
    if (operation.path().startsWith(OPS)) {
      requireProblem(
          operation, "a typing error", send(operation, "dryrun=true", JSON, JSON, "{}"), 400);
    }
    if (operation.hasDryRun()) {
      String twice = "dryRun=false&dryRun=true";
      requireProblem(operation, twice, send(operation, twice, JSON, JSON, "{}"), 400);
      requireProblem(operation, "no flag", send(operation, "dryRun=maybe", JSON, JSON, "{}"), 400);
    }
  }

  private void types(Operation operation) throws Exception {
    String reason = "{\"reason\":\"x\"}";
    if (operation.isVerb()) {
      for (String accept : List.of("image/png", "garbage", "text/html")) {
        HttpResponse<String> answer = send(operation, "", JSON, accept, reason);
        requireProblem(operation, "Accept: " + accept, answer, 400, 406);
      }
      for (String type : List.of("*/*", "text/plain", "application/xml", "garbage")) {
        HttpResponse<String> answer = send(operation, "", type, JSON, reason);
        requireProblem(operation, "Content-Type: " + type, answer, 415);
      }
    }
  }

  private void body(Operation operation) throws Exception {
    if (!operation.method().equals("POST") || operation.path().endsWith("/events")) {
      return;
    }
    for (String body :
        List.of(
            "",
            "{",
            "[]",
            "null",
            "{\"reason\":\"a\",\"reason\":\"b\"}",
            "{\"reason\":\"a\"} {}",
            "{\"reason\":NaN}",
            "{\"zzz\":1}",
            "[".repeat(10_000),
            "{\"reason\":" + "1".repeat(5_000) + "}")) {
      requireProblem(operation, body, send(operation, "", JSON, JSON, body), 400, 413);
    }
    for (var field : operation.body().path("properties").properties()) {
      String type = Operation.resolved(field.getValue()).path("type").asString("");
      for (String value : WRONG.getOrDefault(type, List.of())) {
        String body = "{\"%s\":%s}".formatted(field.getKey(), value);
        requireProblem(operation, body, send(operation, "", JSON, JSON, body), 400);
      }
    }
  }

  private HttpResponse<String> send(
      Operation operation, String query, String type, String accept, String body) throws Exception {
    String path =
        operation
            .path()
            .replace("{board}", board.id().value())
            .replace("{period}", day.name().value())
            .replace("{month}", "2026-11")
            .replaceAll("\\{(id|rank|revision)}", "1")
            .replaceAll("\\{\\w+}", "ann");
    URI uri = URI.create("http://127.0.0.1:%d%s?%s".formatted(port, path, query));
    calls++;
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", type)
                .header("Accept", accept)
                .method(
                    operation.method(),
                    operation.method().equals("GET")
                        ? BodyPublishers.noBody()
                        : BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    Contract.check(answer);
    return answer;
  }

  private void requireProblem(
      Operation operation, String input, HttpResponse<String> answer, Integer... statuses) {
    String body = answer.body();
    boolean isProblem =
        answer.headers().firstValue("Content-Type").orElse("").contains("problem+json")
            && body.contains("\"urn:palmares:problem:")
            && body.contains("\"detail\":\"")
            && body.contains("\"code\":\"")
            && body.contains("\"values\":{")
            && !body.matches("(?s).*(Exception|SQLSTATE|\\bat [a-z]+\\.[a-z.]+\\(|java\\.).*");
    if (!isProblem || !List.of(statuses).contains(answer.statusCode())) {
      wrong.add(
          "%s %s with %.60s: %d %s"
              .formatted(operation.method(), operation.path(), input, answer.statusCode(), body));
    }
  }
}

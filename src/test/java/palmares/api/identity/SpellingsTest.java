package palmares.api.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.rules.board.Board;
import palmares.testing.Contract;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * Nobody who has not signed in gets past the rule of an operation by another spelling of its path
 * or another method.
 */
@WorldTest
class SpellingsTest {
  private static final String PROBLEM = "urn:palmares:problem:";

  @Autowired private World world;
  @LocalServerPort private int port;

  private final HttpClient http = HttpClient.newHttpClient();
  private Board board;

  @BeforeEach
  void open() {
    board = world.board(Rules.day().with("public: false"));
    world.open(board);
  }

  /** The path of each operation that needs a role, with its method. */
  private Map<String, String> operations() {
    var operations = new TreeMap<String, String>();
    for (var path : Contract.DOCUMENT.path("paths").properties()) {
      for (var method : path.getValue().properties()) {
        if (!method.getValue().path("x-roles").isEmpty()) {
          operations.put(
              method.getKey().toUpperCase(Locale.ROOT)
                  + " "
                  + path.getKey()
                      .replace("{board}", board.id().value())
                      .replace("{period}", "2026-11-20")
                      .replaceAll("\\{\\w+\\}", "x1"),
              method.getKey().toUpperCase(Locale.ROOT));
        }
      }
    }
    return operations;
  }

  private static List<String> spellings(String path) {
    int last = path.lastIndexOf('/');
    String parent = path.substring(0, last);
    String name = path.substring(last + 1);
    return List.of(
        path,
        "/" + path,
        parent + "//" + name,
        path + "/",
        path + ";a=b",
        parent + ";a=b/" + name,
        parent + "/x/../" + name,
        parent + "/x/%2e%2e/" + name,
        parent + "/./" + name,
        parent + "/%2e/" + name,
        parent + "%2F" + name,
        parent + "%5c" + name,
        path + "%20",
        path + ".json",
        path.toUpperCase(Locale.ROOT),
        "/docs/.." + path,
        "/login/%2e%2e" + path,
        "/webjars/.." + path,
        "/error/.." + path);
  }

  @Test
  void noSpellingOfAPathGivesNobodyAnAnswer() throws Exception {
    var wrong = new ArrayList<String>();
    int calls = 0;
    for (Map.Entry<String, String> operation : operations().entrySet()) {
      String path = operation.getKey().substring(operation.getKey().indexOf(' ') + 1);
      for (String spelling : spellings(path)) {
        check(operation.getValue(), spelling, wrong);
        calls++;
      }
      for (String method : List.of("HEAD", "OPTIONS", "TRACE", "PATCH", "get", "X")) {
        check(method, path, wrong);
        calls++;
      }
    }
    for (String path :
        List.of("/error", "/error/", "/webjars/swagger-ui/index.html", "/webjars/", "//error")) {
      check("GET", path, wrong);
      calls++;
    }
    assertThat(wrong).isEmpty();
    assertThat(calls).isGreaterThan(1_000);
  }

  @Test
  void aPageAnswersHeadAsGet() throws Exception {
    for (String path : List.of("/console", "/console/boards", "/console/verbs/exclude?kept")) {
      HttpResponse<String> get = send("GET", path);
      HttpResponse<String> head = send("HEAD", path);
      assertThat(get.statusCode()).as(path).isEqualTo(303);
      assertThat(head.statusCode()).as(path).isEqualTo(get.statusCode());
      assertThat(head.headers().firstValue("Location"))
          .as(path)
          .isEqualTo(get.headers().firstValue("Location"));
    }
  }

  private void check(String method, String path, List<String> wrong)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = send(method, path);
    while (answer.statusCode() == 429) { // more requests in a second than an address may send
      answer = send(method, path);
    }
    boolean isRefused = List.of(400, 401, 404, 405, 501).contains(answer.statusCode());
    boolean isMethods = method.equals("OPTIONS") && answer.statusCode() == 200;
    String body = answer.body();
    if (!(isRefused || isMethods) || !(body.isEmpty() || body.contains(PROBLEM))) {
      wrong.add("%s %s: %d %s".formatted(method, path, answer.statusCode(), body));
    }
  }

  private HttpResponse<String> send(String method, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Content-Type", "application/json")
            .method(
                method,
                method.equals("POST") ? BodyPublishers.ofString("{}") : BodyPublishers.noBody())
            .build();
    return http.send(request, BodyHandlers.ofString());
  }
}

package palmares.bench.start;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import palmares.bench.WrongResult;
import palmares.rules.board.BoardId;
import tools.jackson.databind.json.JsonMapper;

/**
 * Knocks at a server that may not be there yet, as anybody would: over HTTP.
 *
 * @param port where it will listen on this machine
 * @param key that it lets events in with
 * @param board that is asked about, and takes events of the action
 */
record Door(int port, String key, BoardId board, String action) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int OK = 200;

  /** Whether it tells who stands on the board. */
  boolean answers() throws InterruptedException {
    return knock(request("/boards/%s/periods/current/top".formatted(board)).GET().build());
  }

  /**
   * Whether it takes an event, and counts it.
   *
   * @throws WrongResult if it takes it, but does not count it
   */
  boolean accepts(String event) throws InterruptedException {
    String body =
        JsonMapper.shared()
            .writeValueAsString(
                Map.of("id", event, "member", "first", "action", action, "board", board.value()));
    return knock(
        request("/events")
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/v1" + path))
        .timeout(PATIENCE);
  }

  /** Nobody may be there, or may not be ready; but who answers must answer well. */
  private static boolean knock(HttpRequest request) throws InterruptedException {
    try {
      HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
      if (answer.statusCode() == OK && !refused(answer.body())) {
        return true;
      }
      if (answer.statusCode() < 500) {
        throw new WrongResult(
            "%s is answered with %d: %s"
                .formatted(request.uri(), answer.statusCode(), answer.body()));
      }
      return false;
    } catch (IOException notThere) {
      return false;
    }
  }

  private static boolean refused(String body) {
    var outcome = JsonMapper.shared().readTree(body).get("outcome");
    return outcome != null && !"applied".equals(outcome.asString());
  }
}

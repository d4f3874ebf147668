package palmares.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.demo.Scenario.Event;
import tools.jackson.databind.json.JsonMapper;

/** Sends events and registrations to the writer over HTTP, with an API key. */
final class EventClient {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI server;
  private final String key;

  EventClient(URI server, String key) {
    this.server = server;
    this.key = key;
  }

  /**
   * Sends the events in one NDJSON request.
   *
   * @return the writer's outcome of each
   */
  List<String> send(List<Event> events) {
    String lines = events.stream().map(JSON::writeValueAsString).collect(Collectors.joining("\n"));
    return post("/api/v1/events", "application/x-ndjson", lines)
        .lines()
        .map(line -> JSON.readTree(line).get("outcome").stringValue())
        .toList();
  }

  /**
   * Registers a member.
   *
   * @param inviteCode the inviter's; null if nobody invited the member
   * @return the member's own invite code
   */
  String register(String member, String nickname, @Nullable String inviteCode) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("externalId", member + "@example.org");
    fields.put("member", member);
    fields.put("nickname", nickname);
    if (inviteCode != null) {
      fields.put("inviteCode", inviteCode);
    }
    String answer = post("/api/v1/members", "application/json", JSON.writeValueAsString(fields));
    return JSON.readTree(answer).get("inviteCode").stringValue();
  }

  private String post(String path, String type, String body) {
    var request =
        HttpRequest.newBuilder(server.resolve(path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() >= 300) {
        throw new IllegalStateException(
            "the writer answered %d: %s".formatted(response.statusCode(), response.body()));
      }
      return response.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the writer", e);
    }
  }
}

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
import palmares.demo.Scenario.Deed;
import tools.jackson.databind.json.JsonMapper;

/** Brings deeds to the writer as any caller would: over HTTP, with an API key. */
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
   * Sends the deeds as one request of NDJSON.
   *
   * @return the outcome of each, as the writer spelled it
   */
  List<String> send(List<Deed> deeds) {
    String lines = deeds.stream().map(EventClient::json).collect(Collectors.joining("\n"));
    return post("/api/v1/events", "application/x-ndjson", lines)
        .lines()
        .map(line -> JSON.readTree(line).get("outcome").stringValue())
        .toList();
  }

  /**
   * Registers a member.
   *
   * @param inviteCode of who brought it; null if nobody did
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

  private static String json(Deed deed) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("id", deed.id());
    fields.put("member", deed.member());
    fields.put("action", deed.action());
    if (deed.subject() != null) {
      fields.put("subject", deed.subject());
    }
    if (deed.undo()) {
      fields.put("undo", true);
    }
    if (deed.quantity() > 1) {
      fields.put("quantity", deed.quantity());
    }
    return JSON.writeValueAsString(fields);
  }
}

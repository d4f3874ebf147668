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
import palmares.demo.Script.Deed;
import tools.jackson.databind.json.JsonMapper;

/** Brings deeds to the writer as any caller would: NDJSON over HTTP, with an API key. */
final class Client {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI events;
  private final String key;

  Client(URI server, String key) {
    this.events = server.resolve("/api/v1/events");
    this.key = key;
  }

  /**
   * Sends the deeds as one request.
   *
   * @return the outcome of each, as the writer spelled it
   */
  List<String> send(List<Deed> deeds) {
    var request =
        HttpRequest.newBuilder(events)
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/x-ndjson")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    deeds.stream().map(Client::json).collect(Collectors.joining("\n"))))
            .build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IllegalStateException(
            "the writer answered %d: %s".formatted(response.statusCode(), response.body()));
      }
      return response
          .body()
          .lines()
          .map(line -> JSON.readTree(line).get("outcome").stringValue())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending events", e);
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

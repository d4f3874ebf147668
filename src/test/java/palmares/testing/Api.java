package palmares.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.rules.board.BoardId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A caller of the API, which accepts only what the OpenAPI document describes. */
public final class Api {
  public static final String JSON = "application/json";

  public static final Duration TEN_YEARS = Duration.ofDays(3_650);

  private static final AtomicInteger KEYS = new AtomicInteger();

  private final HttpClient http = HttpClient.newHttpClient();
  private final JsonMapper json = new JsonMapper();
  private final String root;
  private final @Nullable String key;

  public Api(int port, @Nullable String key) {
    this.root = "http://127.0.0.1:" + port + "/api/v1";
    this.key = key;
  }

  /** A new key that writes, and sees all that staff see; without boards it is for all. */
  public static String key(ApiKeys keys, String name, BoardId... boards) {
    var key =
        new NewKey(
            name + "-" + KEYS.incrementAndGet(),
            Set.of(Role.WRITER, Role.VIEWER),
            Set.of(boards),
            null);
    return keys.create(key, "tester", "test");
  }

  /** A new key of a person, with any roles, which acts as this person for ten years. */
  public static String ownKey(ApiKeys keys, String name, String person, Role... roles) {
    return ownKey(keys, new NewKey(name, Set.of(roles), Set.of(), TEN_YEARS), person);
  }

  /** A new key of a person, with any roles, which acts as this person. */
  public static String ownKey(ApiKeys keys, NewKey key, String person) {
    Caller everything = Caller.person(person, Set.of(Role.values()), null, false);
    return keys.createOwn(key, everything, "test");
  }

  /** An answer, its body read. */
  public record Answer(int status, String type, HttpResponse<String> response, JsonNode body) {
    public String problem() {
      return body.path("type").asString("");
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  /** Posts events. */
  public Answer post(String type, String body) {
    return post("/events", type, body);
  }

  /**
   * @param headers name, value, name, value, ...
   */
  public Answer post(String path, String type, String body, String... headers) {
    HttpRequest.Builder request = with(to(path), headers);
    return send(request.header("Content-Type", type).POST(BodyPublishers.ofString(body)));
  }

  public Answer post(String body) {
    return post(JSON, body.replace('\'', '"'));
  }

  /**
   * @param headers name, value, name, value, ...
   */
  public Answer get(String path, String... headers) {
    return send(with(to(path), headers).GET());
  }

  private static HttpRequest.Builder with(HttpRequest.Builder request, String... headers) {
    return headers.length == 0 ? request : request.headers(headers);
  }

  /** Posts JSON that is written with single quotes. */
  public Answer postTo(String path, String body) {
    return send(
        to(path)
            .header("Content-Type", JSON)
            .POST(BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  /** What a scraper reads: the value of a metric with its labels; NaN if there is none. */
  public double metric(String name) {
    return send(to("/../../actuator/prometheus"))
        .response()
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> Double.valueOf(line.substring(name.length() + 1)))
        .findFirst()
        .orElse(Double.NaN);
  }

  /**
   * @param headers name, value, name, value, ...
   */
  public Answer send(String method, String path, String... headers) {
    return send(with(to(path), headers).method(method, BodyPublishers.noBody()));
  }

  private HttpRequest.Builder to(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path).normalize());
    return key == null ? request : request.header("Authorization", "Bearer " + key);
  }

  private Answer send(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      String type = answer.headers().firstValue("Content-Type").orElse("");
      Contract.check(answer);
      JsonNode body =
          type.startsWith(JSON) || type.contains("problem+json")
              ? json.readTree(answer.body())
              : json.createObjectNode();
      return new Answer(answer.statusCode(), type, answer, body);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}

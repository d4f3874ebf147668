package palmares.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Keeps the cookies of a person, as a browser does, but sends secure ones without TLS, too. */
public final class Browser {
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> cookies = new LinkedHashMap<>();
  private final URI server;
  private boolean sendsToken = true;
  private @Nullable String language;

  public Browser(int port) {
    this.server = URI.create("http://127.0.0.1:" + port);
  }

  /** An answer, its body read. */
  public record Page(int status, HttpResponse<String> response, JsonNode body) {
    public String problem() {
      return body.path("type").asString("").replace("urn:palmares:problem:", "");
    }
  }

  /** As a page of another site does, which cannot read the token. */
  public Browser withoutToken() {
    sendsToken = false;
    return this;
  }

  /** With the languages that the person prefers. */
  public Browser in(String languages) {
    language = languages;
    return this;
  }

  public @Nullable String cookie(String name) {
    return cookies.get(name);
  }

  public void setCookie(String name, String value) {
    cookies.put(name, value);
  }

  public Page get(String path) {
    return send(request(path).GET());
  }

  public Page post(String path, @Nullable Object body) {
    HttpRequest.Builder request = request(path);
    String token = cookies.get("XSRF-TOKEN");
    if (token != null && sendsToken) {
      request.header("X-XSRF-TOKEN", token);
    }
    return send(
        body == null
            ? request.POST(BodyPublishers.noBody())
            : request
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(body))));
  }

  /** Sends a form, with the token of the cookie as its field unless it has one. */
  public Page form(String path, Map<String, String> fields) {
    var all = new LinkedHashMap<>(fields);
    all.putIfAbsent("_csrf", cookies.getOrDefault("XSRF-TOKEN", ""));
    return send(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(
                BodyPublishers.ofString(
                    all.entrySet().stream()
                        .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                        .collect(Collectors.joining("&")))));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  public Page signIn(String name, String password) {
    return post("/login", Map.of("name", name, "password", password));
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path));
    if (language != null) {
      request.header("Accept-Language", language);
    }
    if (!cookies.isEmpty()) {
      request.header(
          "Cookie",
          cookies.entrySet().stream()
              .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
              .collect(Collectors.joining("; ")));
    }
    return request;
  }

  private Page send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
      Contract.check(answer);
      for (String set : answer.headers().allValues("Set-Cookie")) {
        String[] pair = set.split(";", 2)[0].split("=", 2);
        cookies.put(pair[0], pair[1]);
      }
      String type = answer.headers().firstValue("Content-Type").orElse("");
      JsonNode body =
          type.contains("json")
              ? JsonMapper.shared().readTree(answer.body())
              : JsonMapper.shared().createObjectNode();
      return new Page(answer.statusCode(), answer, body);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}

package palmares.api.ops;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Changes of valid requests, by lists of words, by the schemas of the OpenAPI document, by bytes,
 * and by headers that servers and proxies read differently.
 */
final class HostileRequests {
  /** The most changes of one request. */
  static final int MAX_CHANGES = 3;

  /** A path that a smuggled request asks for, which is none. */
  static final String SMUGGLED = "/api/v1/boards/smuggled/periods/current";

  private static final List<String> WORDS =
      List.of(
          "null",
          "true",
          "-1",
          "0",
          "1e400",
          "9223372036854775808",
          "1.5",
          "\"\"",
          "[]",
          "{}",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"\\udc00\\ud800\"",
          "\"%s%n${x}#{1}\"",
          "NaN",
          "[null]",
          "\"2026-02-30\"",
          "\"+999999999-12-31T23:59:59Z\"",
          "\"'; drop table period; --\"",
          "1e",
          "\"../../etc/passwd\"",
          "\"\uFEFF\"",
          "{\"a\":{\"a\":{}}}",
          "\"a\\r\\nX: y\"",
          "01",
          "\"" + "x".repeat(70_000) + "\"",
          "[".repeat(2_000),
          "{\"a\":".repeat(2_000),
          "-");

  private static final List<String> QUERIES =
      List.of(
          "limit=-1",
          "limit=99999999999",
          "limit=1e3",
          "from=2026-02-30",
          "to=%00",
          "a=%",
          "%ff=1",
          "board=%ed%a0%80",
          "wait=-5",
          "around='",
          "dryRun=maybe",
          "dryRun=true&dryRun=false",
          "revision=9999999999",
          "page=%F0%9F%98%80",
          "format=xlsx",
          "lang=zz",
          "first=-7",
          "=",
          "&&",
          "state[]=open",
          "before=-999999999-01-01",
          "members=" + "m,".repeat(3_000));

  private static final List<String> HEADERS =
      List.of(
          "Content-Type: text/plain",
          "Content-Type: application/json; charset=utf-16",
          "Content-Type: application/x-ndjson",
          "Content-Type: multipart/form-data; boundary=",
          "Content-Type: " + "a".repeat(5_000),
          "Content-Type: application/json;;q=,",
          "Content-Encoding: gzip",
          "Content-Encoding: br, gzip",
          "Accept: text/csv",
          "Accept: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
          "Accept: */*;q=2",
          "Accept: text/event-stream",
          "Accept: \"",
          "Accept-Language: zh-",
          "Accept-Language: " + "zh,".repeat(900),
          "If-Match: *",
          "If-Match: W/\"1\"",
          "If-Match: \"",
          "If-None-Match: *",
          "If-Modified-Since: never",
          "Idempotency-Key: ",
          "Idempotency-Key: " + "k".repeat(3_000),
          "Idempotency-Key: \u00e9\u0001",
          "Range: bytes=9-1",
          "Expect: 100-continue",
          "Expect: nothing",
          "X-Forwarded-For: ' or 1=1",
          "Cookie: SESSION=;=",
          "Cookie: " + "a=b; ".repeat(1_000),
          "Host: evil",
          "Host: [",
          "Upgrade: h2c",
          "Transfer-Encoding: chunked",
          "Transfer-Encoding: gzip, chunked",
          "Transfer-Encoding : chunked",
          "Transfer-Encoding: \u000bchunked",
          "Content-Length: -1",
          "Content-Length: 5",
          "Content-Length: 99999999999999999999",
          "Content-Length: 0",
          "Content-Length: 1, 2",
          "X-A: a\r\n folded",
          "X-\u0000: y",
          "Authorization: Basic Og==",
          "X-Http-Method-Override: DELETE",
          "traceparent: 00-zz",
          "Origin: null",
          "X-Big: " + "z".repeat(9_000));

  /** Headers that say where a body ends, or are none. */
  private static final Pattern FRAMING =
      Pattern.compile("(?i)^(content-length|transfer-encoding|expect|upgrade|x-a|x-\u0000)");

  /** Other lengths of a body that has one. */
  private static final List<String> FRAMINGS =
      List.of(
          "Transfer-Encoding: chunked",
          "Transfer-Encoding : chunked",
          "Transfer-Encoding:\tchunked",
          "Transfer-Encoding: \u000bchunked",
          "Transfer-Encoding: x, chunked",
          "Transfer-Encoding: identity, chunked",
          "Transfer-Encoding: chunked, identity",
          "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
          "transfer-encoding: CHUNKED",
          "X: y\nTransfer-Encoding: chunked",
          "X: y\rTransfer-Encoding: chunked",
          " Transfer-Encoding: chunked",
          "Content-Length: 0",
          "Content-Length: +5",
          "Content-Length: 5 ",
          "content-length: 0x5",
          "Content-Length : 5",
          "X: y\nContent-Length: 5");

  private static final List<UnaryOperator<String>> PATHS =
      List.of(
          path -> path.replaceFirst("/api", "//api"),
          path -> path + "/",
          path -> path + ";a=b",
          path -> path + "%00",
          path -> path + "%2f..%2f",
          path -> path.replace("/v1/", "/v1/../v1/"),
          path -> path.replaceFirst("/([^/?]*)$", "/%ff%fe"),
          path -> path + "/%e2%80%ae",
          path -> path.replaceFirst("/([^/?]*)$", "/" + "y".repeat(4_000)),
          path -> path + "\\..",
          path -> path.replaceFirst("/([^/?]*)$", "/%F0%9F%98%80"),
          path -> path + "#x",
          path -> path.replaceFirst("/([^/?]*)$", "/-9223372036854775809"),
          path -> "*",
          path -> "http://other" + path,
          path -> path.toUpperCase(Locale.ROOT),
          path -> path.replaceFirst("/([^/?]*)$", "/%u0041"),
          path -> path + " x",
          path -> path.replaceFirst("\\d{4}-\\d{2}-\\d{2}", "2026-02-30"));

  private static final List<String> METHODS =
      List.of(
          "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO", "get", "");

  private HostileRequests() {}

  /**
   * A request before it is bytes.
   *
   * @param operation of the document
   * @param isFramed whether its headers announce exactly its body, as all servers would read them
   */
  record Request(
      String method,
      String path,
      List<String> headers,
      byte[] body,
      JsonNode operation,
      boolean isFramed) {
    byte[] bytes() {
      var head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
      headers.forEach(line -> head.append(line).append("\r\n"));
      var bytes = new ByteArrayOutputStream();
      bytes.writeBytes(head.append("\r\n").toString().getBytes(ISO_8859_1));
      bytes.writeBytes(body);
      return bytes.toByteArray();
    }

    Request with(byte[] other) {
      var lines = new ArrayList<>(headers);
      if (isFramed) {
        lines.removeIf(line -> line.startsWith("Content-Length: "));
        lines.add("Content-Length: " + other.length);
      }
      return new Request(method, path, lines, other, operation, isFramed);
    }

    Request with(String otherMethod, String otherPath) {
      return new Request(otherMethod, otherPath, headers, body, operation, isFramed);
    }

    Request withQuery(String query) {
      return with(method, path + (path.contains("?") ? "&" : "?") + query);
    }

    private boolean isSmuggling() {
      return new String(body, ISO_8859_1).contains(SMUGGLED);
    }

    private Request withHeaders(List<String> lines, boolean areFraming) {
      return new Request(method, path, lines, body, operation, isFramed && !areFraming);
    }

    @Override
    public String toString() {
      String text = new String(bytes(), ISO_8859_1).replaceAll("Bearer \\S+", "Bearer …");
      return text.substring(0, Math.min(text.length(), 600)).replaceAll("[^\\x20-\\x7e\n]", "?");
    }
  }

  /** A change of a request, which is the same for the same random number. */
  private interface Change {
    Request of(Request request, Random random);
  }

  private static final List<Change> CHANGES =
      List.of(
          HostileRequests::otherBytes,
          HostileRequests::otherBytes,
          HostileRequests::otherValue,
          HostileRequests::otherValue,
          HostileRequests::valueOfNoSchema,
          HostileRequests::valueOfNoSchema,
          HostileRequests::otherHeader,
          HostileRequests::otherHeader,
          HostileRequests::smuggled,
          (request, random) ->
              request.with(request.method(), any(PATHS, random).apply(request.path())),
          (request, random) -> request.withQuery(any(QUERIES, random)),
          (request, random) -> request.with(any(METHODS, random), request.path()));

  /**
   * The request of a random number.
   *
   * @param most of its changes that are made
   */
  static Request hostile(List<Request> valid, long chosen, int most) {
    var random = new Random(chosen);
    Request request = any(valid, random);
    int changes = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(MAX_CHANGES);
    for (int i = 0; i < Math.min(changes, most) && !request.isSmuggling(); i++) {
      request = any(CHANGES, random).of(request, random);
    }
    return request;
  }

  private static <T> T any(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  private static Request otherBytes(Request request, Random random) {
    byte[] body = request.body();
    if (body.length == 0) {
      byte[] some = new byte[random.nextInt(300)];
      random.nextBytes(some);
      return request.with(some);
    }
    int at = random.nextInt(body.length);
    var changed = new ByteArrayOutputStream();
    changed.write(body, 0, at);
    switch (random.nextInt(4)) {
      case 0 -> changed.write(random.nextInt(256));
      case 1 -> changed.write(body, 0, body.length);
      case 2 -> changed.writeBytes("\uD83D\uDE00\u0000\uFEFF".getBytes(UTF_8));
      default -> {
        return request.with(changed.toByteArray()); // It ends here.
      }
    }
    changed.write(body, at + 1, body.length - at - 1);
    return request.with(changed.toByteArray());
  }

  private static Request otherValue(Request request, Random random) {
    String body = new String(request.body(), UTF_8);
    var values =
        Pattern.compile("(?<=[:\\[,])(\"[^\"]*\"|[\\w.+-]+)").matcher(body).results().toList();
    if (values.isEmpty()) {
      return request.with(any(WORDS, random).getBytes(UTF_8));
    }
    var value = any(values, random);
    String changed =
        body.substring(0, value.start()) + any(WORDS, random) + body.substring(value.end());
    return request.with(changed.getBytes(UTF_8));
  }

  /** Of the body by its schema, or of the query by its parameters. */
  private static Request valueOfNoSchema(Request request, Random random) {
    JsonNode schema = request.operation().at("/requestBody/content/application~1json/schema");
    if (!schema.isMissingNode() && random.nextInt(4) > 0) {
      JsonNode body = SchemaValues.read(request.body());
      JsonNode changed = SchemaValues.wrongBody(schema, body, random);
      return request.with(changed.toString().getBytes(UTF_8));
    }
    List<JsonNode> parameters = SchemaValues.queries(request.operation());
    if (parameters.isEmpty()) {
      return otherValue(request, random);
    }
    JsonNode parameter = any(parameters, random);
    String value = SchemaValues.wrong(parameter.path("schema"), random).asString("");
    String encoded = URLEncoder.encode(value, UTF_8);
    return request.withQuery(parameter.path("name").asString("") + "=" + encoded);
  }

  private static Request otherHeader(Request request, Random random) {
    var lines = new ArrayList<>(request.headers());
    String line = any(HEADERS, random);
    if (random.nextBoolean()) {
      lines.removeIf(each -> each.split(":", 2)[0].equals(line.split(":", 2)[0]));
    }
    lines.add(random.nextInt(lines.size() + 1), line);
    return request.withHeaders(lines, FRAMING.matcher(line).find());
  }

  /** Its length covers another request, which a second framing would let out. */
  private static Request smuggled(Request request, Random random) {
    String inner = "0\r\n\r\nGET " + SMUGGLED + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    var lines = new ArrayList<>(request.headers());
    lines.removeIf(line -> FRAMING.matcher(line).find());
    lines.add("Content-Length: " + inner.length());
    lines.add(random.nextInt(lines.size() + 1), any(FRAMINGS, random));
    return new Request(
        request.method(),
        request.path(),
        lines,
        inner.getBytes(ISO_8859_1),
        request.operation(),
        false);
  }
}

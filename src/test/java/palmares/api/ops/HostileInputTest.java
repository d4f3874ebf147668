package palmares.api.ops;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.live.journal.Journal;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Contest;
import palmares.testing.Contract;
import palmares.testing.FaultTable;
import palmares.testing.RawHttp;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests of every operation, with bytes, values, headers and paths that no client sends: none is
 * answered with an error of the server, or with anything about its code, and none that is refused
 * changes anything. The suite sends some hundreds; {@code -Dtests.hostile=1000000} a million, and
 * goes on where it was stopped ({@code target/hostile.tsv}). {@code -Dtests.hostile-seed=N} replays
 * one seed.
 */
@WorldTest
class HostileInputTest {
  private static final Path JOURNAL = Path.of("target", "hostile.tsv");
  private static final int ASKED = Integer.getInteger("tests.hostile", 0);
  private static final long REPLAYED = Long.getLong("tests.hostile-seed", 0);

  /** The requests of one seed. The suite sends fewer of the first seed. */
  private static final int OF_A_SEED = ASKED == 0 && REPLAYED == 0 ? 400 : 2_000;

  /** The number of requests between two comparisons of all rows and keys. */
  private static final int OF_A_ROUND = 8;

  private static final int MAX_CHANGES = 3;

  private static final Pattern LEAK =
      Pattern.compile(
          "(?s).*(\\bat [a-z]+(\\.\\w+)+\\(|Caused by:|Exception\\b|org\\.springframework"
              + "|org\\.apache|java\\.lang|PSQL|select \\w+ from ).*");

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

  @Autowired private World world;
  @Autowired private ApiKeys keys;
  @Autowired private Servers servers;
  @Autowired private Records records;
  @Autowired private Journal journal;
  @LocalServerPort private int port;

  private final List<Request> valid = new ArrayList<>();
  private List<Period> periods;
  private String key;

  /** A request before it is bytes. */
  private record Request(String method, String path, List<String> headers, byte[] body) {
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
      lines.replaceAll(
          line -> line.startsWith("Content-Length") ? "Content-Length: " + other.length : line);
      return new Request(method, path, lines, other);
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
          HostileInputTest::otherBytes,
          HostileInputTest::otherBytes,
          HostileInputTest::otherValue,
          HostileInputTest::otherValue,
          HostileInputTest::otherValue,
          HostileInputTest::otherHeader,
          HostileInputTest::otherHeader,
          (request, random) ->
              new Request(
                  request.method(),
                  any(PATHS, random).apply(request.path()),
                  request.headers(),
                  request.body()),
          (request, random) ->
              new Request(
                  request.method(),
                  request.path()
                      + (request.path().contains("?") ? "&" : "?")
                      + any(QUERIES, random),
                  request.headers(),
                  request.body()),
          (request, random) ->
              new Request(any(METHODS, random), request.path(), request.headers(), request.body()));

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

  private static Request otherHeader(Request request, Random random) {
    var lines = new ArrayList<>(request.headers());
    String line = any(HEADERS, random);
    if (random.nextBoolean()) {
      lines.removeIf(each -> each.split(":", 2)[0].equals(line.split(":", 2)[0]));
    }
    lines.add(random.nextInt(lines.size() + 1), line);
    return new Request(request.method(), request.path(), lines, request.body());
  }

  /** A request of each operation of the document, with each of its media types. */
  @BeforeEach
  void recordValidRequests() throws IOException {
    var all = EnumSet.allOf(Role.class);
    key = Api.ownKey(keys, new NewKey("boss", all, Set.of(), Api.TEN_YEARS), "local:test");
    Board board = world.board(Contest.rules().with("clock: event"));
    Period day = world.open(board);
    Contest.facts().forEach(fact -> world.take(fact.at(world.now())));
    servers.register("ann");
    world.settle(day);
    Period next = world.open(board);
    periods = List.of(world.again(day), next);
    var api = new Api(port, key);
    api.postTo("/ops/people", "{'reason':'r','name':'bob','roles':['viewer']}");
    api.postTo("/ops/exclusions/lists/bots", "{'reason':'r'}");
    for (var path : Contract.DOCUMENT.path("paths").properties()) {
      for (var method : path.getValue().properties()) {
        if (!method.getKey().equals("parameters") && !path.getKey().endsWith("stream")) {
          String period = valid.size() % 2 == 0 ? day.name().value() : next.name().value();
          add(
              method.getKey().toUpperCase(Locale.ROOT),
              path.getKey()
                  .replace("{board}", board.id().value())
                  .replace("{period}", period)
                  .replace("{list}", "bots")
                  .replace("{member}", "ann")
                  .replace("/people/{name}", "/people/bob")
                  .replaceAll("\\{(id|n|number|revision)}", "1")
                  .replaceAll("\\{\\w+}", "shop"),
              method.getValue().path("requestBody").path("content").propertyNames(),
              body(path.getKey()));
        }
      }
    }
    assertThat(valid).hasSizeGreaterThan(100);
    String event = "{\"id\":\"e1\",\"member\":\"ann\",\"action\":\"like\"}\n";
    add("POST", "/api/v1/imports/1/lines", List.of("application/x-ndjson"), event.repeat(3));
    add("POST", "/api/v1/events", List.of("application/x-ndjson"), event.repeat(3));
    try (Stream<Path> files = Files.list(Path.of("jobs"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".yml")).sorted().toList()) {
        check(Files.readString(file));
      }
    }
  }

  /** The check of a board file, which is the body's only field. */
  private Request check(String file) {
    String body = JsonMapper.shared().writeValueAsString(Map.of("files", Map.of("a.yml", file)));
    add("POST", "/api/v1/ops/boards/check", List.of(Api.JSON), body);
    return valid.get(valid.size() - 1);
  }

  private static String body(String path) {
    EveryVerbTest.Example example = EveryVerbTest.EXAMPLES.get(path);
    return example == null
        ? "{\"reason\":\"yes\"}"
        : example.body().replace('\'', '"').replace("\"csv\":CSV", "\"csv\":\"member\\nann\"");
  }

  private void add(String method, String path, Collection<String> types, String example) {
    var headers = new ArrayList<String>();
    headers.add("Host: localhost:" + port);
    headers.add("Authorization: Bearer " + key);
    headers.add("Connection: close");
    byte[] body = method.equals("GET") ? new byte[0] : example.getBytes(UTF_8);
    if (body.length > 0) {
      headers.add("Content-Type: " + (types.isEmpty() ? Api.JSON : types.iterator().next()));
      headers.add("Content-Length: " + body.length);
    }
    valid.add(new Request(method, path, headers, body));
  }

  static LongStream seeds() {
    if (REPLAYED > 0) {
      return LongStream.of(REPLAYED);
    }
    Map<String, String> noted = ASKED == 0 ? Map.of() : FaultTable.noted(JOURNAL);
    return LongStream.rangeClosed(1, Math.max(1, ASKED / OF_A_SEED))
        .filter(seed -> ASKED == 0 || !noted.containsKey("seed " + seed));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noRequestIsAnErrorOfTheServerAndNoRefusalChangesAnything(long seed) {
    var random = new Random(seed);
    var statuses = new TreeMap<Integer, Integer>();
    int compared = 0;
    List<String> before = content();
    for (int sent = 0; sent < OF_A_SEED; sent += OF_A_ROUND) {
      var refused = new ArrayList<Request>();
      boolean changes = false;
      for (int n = 0; n < OF_A_ROUND; n++) {
        long chosen = random.nextLong();
        Request request = hostile(chosen, MAX_CHANGES);
        int status = sendOrShrink(chosen, seed);
        statuses.merge(status, 1, Integer::sum);
        changes |= status < 400 && mayChange(request);
        refused.add(request);
      }
      List<String> after = content();
      if (!changes) {
        compared++;
        assertThat(after)
            .withFailMessage(
                () ->
                    "seed %d: one of these changed %s: %s"
                        .formatted(seed, difference(before, after), refused))
            .isEqualTo(before);
      }
      before.clear();
      before.addAll(after);
    }
    System.out.printf("seed %d: %s, %d rounds compared%n", seed, statuses, compared);
    assertThat(compared).as("rounds of refusals alone").isPositive();
    assertThat(statuses.getOrDefault(429, 0)).as("%s", statuses).isLessThan(OF_A_SEED / 5);
    assertThat(statuses).as("some are understood").containsKeys(200, 400);
    if (ASKED > 0) {
      FaultTable.note(JOURNAL, "seed " + seed, "" + OF_A_SEED);
      long seeds = FaultTable.noted(JOURNAL).size();
      FaultTable.write("hostile requests", seeds * OF_A_SEED, 0, 0, 1);
    }
  }

  /** Small texts that become big where they are read carelessly. */
  @ParameterizedTest
  @ValueSource(
      strings = {"gzip", "aliases", "self", "merges", "depth", "flow", "keys", "json", "csv"})
  void aBombIsRefusedOrReadWithoutHarm(String what) throws IOException {
    List<String> before = content();
    Request request =
        switch (what) {
          case "gzip" -> zipped();
          case "aliases" -> check(aliases("[%s,%s,%s,%s,%s,%s,%s,%s,%s]"));
          case "merges" -> check(aliases("{ <<: [%s, %s, %s, %s, %s, %s, %s, %s, %s] }"));
          case "self" -> check("title: &a [*a, *a]\nperiod: *a\n");
          case "depth" ->
              check(
                  "a:\n"
                      + IntStream.range(1, 3_000)
                          .mapToObj(" "::repeat)
                          .map(indent -> indent + "a:\n")
                          .collect(Collectors.joining()));
          case "flow" -> check("title: " + "[".repeat(100_000));
          case "keys" -> check("a: 1\n".repeat(100_000));
          case "json" -> check("").with("{\"a\":[".repeat(100_000).getBytes(UTF_8));
          default ->
              check("")
                  .with(
                      "{\"reason\":\"r\",\"csv\":\"member\\n%s\"}"
                          .formatted("\\\"\\\"".repeat(100_000))
                          .getBytes(UTF_8));
        };
    int status = send(request, 0);
    assertThat(status).as("%s", request).isBetween(200, 499);
    assertThat(content()).isEqualTo(before);
  }

  private static String aliases(String nine) {
    var text = new StringBuilder("a0: &a0 { x: y }\n");
    for (int i = 1; i < 12; i++) {
      text.append("a%d: &a%d %s%n".formatted(i, i, nine.replace("%s", "*a" + (i - 1))));
    }
    return text.toString();
  }

  private Request zipped() throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(bytes)) {
      byte[] spaces = new byte[1 << 20];
      Arrays.fill(spaces, (byte) ' ');
      for (int i = 0; i < 200; i++) {
        zip.write(spaces);
      }
    }
    Request plain = check("").with(bytes.toByteArray());
    var headers = new ArrayList<>(plain.headers());
    headers.add("Content-Encoding: gzip");
    return new Request(plain.method(), "/api/v1/events", headers, plain.body());
  }

  /** Once the tasks that were accepted have ended. */
  private List<String> content() {
    await().until(() -> records.number("select count(*) from task where state = 'running'") == 0);
    periods.forEach(journal::drain);
    List<String> content = servers.content();
    content.removeIf(row -> row.startsWith("sign_in_attempt ")); // Refused ones are counted.
    return content;
  }

  private static List<String> difference(List<String> before, List<String> after) {
    var changed = new ArrayList<>(after);
    changed.removeAll(before);
    var gone = new ArrayList<>(before);
    gone.removeAll(after);
    changed.addAll(gone);
    return changed;
  }

  /**
   * The request of a random number.
   *
   * @param most of its changes that are made
   */
  private Request hostile(long chosen, int most) {
    var random = new Random(chosen);
    Request request = any(valid, random);
    int changes = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(MAX_CHANGES);
    for (int i = 0; i < Math.min(changes, most); i++) {
      request = any(CHANGES, random).of(request, random);
    }
    return request;
  }

  /** A payout file is recorded when it is read, because its references are paid. */
  private static boolean mayChange(Request request) {
    return !Set.of("GET", "HEAD").contains(request.method()) || request.path().contains("payout");
  }

  /** Of a request that fails, the first changes that suffice are named. */
  private int sendOrShrink(long chosen, long seed) {
    try {
      return send(hostile(chosen, MAX_CHANGES), seed);
    } catch (AssertionError failure) {
      for (int most = 0; most < MAX_CHANGES; most++) {
        send(hostile(chosen, most), seed);
      }
      throw failure;
    }
  }

  private int send(Request request, long seed) {
    String answer;
    try (var connection = new RawHttp(port)) {
      answer = connection.send(new String(request.bytes(), ISO_8859_1)).rest();
    } catch (UncheckedIOException e) {
      throw new AssertionError("seed %d: no answer to %s".formatted(seed, request), e);
    }
    String line = answer.lines().findFirst().orElse("");
    int status = line.matches("HTTP/1.1 \\d{3}.*") ? Integer.parseInt(line.substring(9, 12)) : 0;
    boolean isDocumented =
        status > 0 && status < 500
            || Set.of(501, 503).contains(status) && answer.contains("urn:palmares:problem:");
    assertThat(isDocumented)
        .withFailMessage("seed %d: %s%nanswers %s", seed, request, answer)
        .isTrue();
    if (status >= 400) {
      assertThat(LEAK.matcher(answer).matches())
          .withFailMessage("seed %d: %s%nanswers %s", seed, request, answer)
          .isFalse();
    }
    return status;
  }
}

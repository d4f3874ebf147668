package palmares.api.ops;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static palmares.api.ops.HostileRequests.SMUGGLED;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.ops.HostileRequests.Request;
import palmares.api.roles.Role;
import palmares.live.journal.Journal;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Contest;
import palmares.testing.Contract;
import palmares.testing.FaultJournal;
import palmares.testing.RawHttp;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Requests of every operation, with bytes, values, headers and paths that no client sends: none is
 * answered with an error of the server, with anything about its code, or later than the server's
 * own limits; none that is refused changes anything, and none answers for another. The suite sends
 * some hundreds; {@code -Dtests.hostile=1000000} a million, and goes on where it was stopped.
 * {@code -Dtests.hostile-seed=N} replays one seed.
 */
@WorldTest
class HostileInputTest {
  private static final int ASKED = Integer.getInteger("tests.hostile", 0);
  private static final long REPLAYED = Long.getLong("tests.hostile-seed", 0);

  /** The requests of one seed. The suite sends fewer of the first seed. */
  private static final int OF_A_SEED = ASKED == 0 && REPLAYED == 0 ? 400 : 5_000;

  /** Null in the suite, which notes nothing. */
  private static final @Nullable FaultJournal JOURNAL =
      ASKED == 0 ? null : new FaultJournal("hostile", "hostile requests", 1);

  /** What the heap may grow by after the first seed: room of buffers and caches. */
  private static final long HEAP_GROWTH_BYTES = 64L << 20;

  /** The longest limit of the server: of the time in which a body must arrive. */
  private static final Duration LATEST = Duration.ofSeconds(20);

  /** Refused attempts to sign in are counted, and servers of an emptied Redis find one another. */
  private static final Pattern WITHOUT_A_CALL =
      Pattern.compile(
          "^(sign_in_attempt |installation |palmares:installation |palmares:served-by )");

  private static final JsonNode NONE = MissingNode.getInstance();
  private static final String LOG_POSITION = "select pg_current_wal_insert_lsn()::text";
  private static final String PROBED = "/api/v1/boards/probe/periods/";

  /** After each such number of requests, another shows that the answers are not shifted. */
  private static final int OF_A_PROBE = 4;

  private static final Pattern LEAK =
      Pattern.compile(
          "(?s).*(\\bat [a-z]+(\\.\\w+)+\\(|Caused by:|Exception\\b|org\\.springframework"
              + "|org\\.apache|java\\.lang|PSQL|select \\w+ from ).*");

  @Autowired private World world;
  @Autowired private ApiKeys keys;
  @Autowired private Servers servers;
  @Autowired private Records records;
  @Autowired private Journal journal;
  @LocalServerPort private int port;

  /** The heap after the first seed of this process; 0 before. */
  private static long firstHeapBytes;

  private final List<Request> valid = new ArrayList<>();
  private final Map<Integer, Integer> statuses = new TreeMap<>();
  private List<Period> periods;
  private String key;
  private @Nullable RawHttp connection;
  private final List<Store> stores =
      List.of(
          new Store(this::rows, () -> records.words(LOG_POSITION).get(0)),
          new Store(this::keys, this::numberOfWrites));
  private long sent;
  private long compared;
  private long longestNanos;

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
        if (!method.getKey().equals("parameters")) {
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
              method.getValue(),
              method.getValue().path("requestBody").path("content").propertyNames(),
              body(path.getKey()));
        }
      }
    }
    assertThat(valid).hasSizeGreaterThan(100);
    String event = "{\"id\":\"e1\",\"member\":\"ann\",\"action\":\"like\"}\n";
    for (String path : List.of("/api/v1/imports/1/lines", "/api/v1/events")) {
      add("POST", path, NONE, List.of("application/x-ndjson"), event.repeat(3));
    }
    try (Stream<Path> files = Files.list(Path.of("jobs"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".yml")).sorted().toList()) {
        check(Files.readString(file));
      }
    }
  }

  /** The check of a board file, which is the body's only field. */
  private Request check(String file) {
    String body = JsonMapper.shared().writeValueAsString(Map.of("files", Map.of("a.yml", file)));
    add("POST", "/api/v1/ops/boards/check", NONE, List.of(Api.JSON), body);
    return valid.get(valid.size() - 1);
  }

  private static String body(String path) {
    EveryVerbTest.Example example = EveryVerbTest.EXAMPLES.get(path);
    return example == null
        ? "{\"reason\":\"yes\"}"
        : example.body().replace('\'', '"').replace("\"csv\":CSV", "\"csv\":\"member\\nann\"");
  }

  private void add(
      String method, String path, JsonNode operation, Collection<String> types, String example) {
    var headers = new ArrayList<String>();
    headers.add("Host: localhost:" + port);
    headers.add("Authorization: Bearer " + key);
    byte[] body = method.equals("GET") ? new byte[0] : example.getBytes(UTF_8);
    if (body.length > 0) {
      headers.add("Content-Type: " + (types.isEmpty() ? Api.JSON : types.iterator().next()));
      headers.add("Content-Length: " + body.length);
    }
    valid.add(new Request(method, path, headers, body, operation, true));
  }

  static LongStream seeds() {
    return REPLAYED > 0
        ? LongStream.of(REPLAYED)
        : LongStream.rangeClosed(1, Math.max(1, ASKED / OF_A_SEED))
            .filter(seed -> JOURNAL == null || !JOURNAL.isKept("seed " + seed));
  }

  @ParameterizedTest(name = "seed {0}", allowZeroInvocations = true)
  @MethodSource("seeds")
  void noRequestIsAnErrorOfTheServerAndNoRefusalChangesAnything(long seed) {
    if (JOURNAL == null) {
      sendAll(seed);
    } else {
      JOURNAL.run("seed " + seed, OF_A_SEED, () -> sendAll(seed));
    }
  }

  /** Returns the acknowledged events, which are of no concern here. */
  private long sendAll(long seed) {
    var random = new Random(seed);
    stores.forEach(Store::look);
    while (sent < OF_A_SEED) {
      long chosen = random.nextLong();
      Request request = HostileRequests.hostile(valid, chosen, HostileRequests.MAX_CHANGES);
      int status = sendOrShrink(chosen, seed);
      statuses.merge(status, 1, Integer::sum);
      for (Store store : stores) {
        if (store.isWritten()) {
          assertUnchanged(store, request, mayHaveChanged(request, status), seed);
        }
      }
    }
    disconnect();
    long heap = heapBytes();
    System.out.printf(
        "seed %d: %s, compared %d times, the longest took %d ms, the heap is %d MB%n",
        seed, statuses, compared, longestNanos / 1_000_000, heap >> 20);
    assertThat(compared).as("comparisons after refusals").isPositive();
    assertThat(statuses.getOrDefault(429, 0)).as("%s", statuses).isLessThan(OF_A_SEED / 5);
    assertThat(statuses).as("some are understood").containsKeys(200, 400);
    firstHeapBytes = firstHeapBytes == 0 ? heap : firstHeapBytes;
    assertThat(heap).as("heap").isLessThan(firstHeapBytes + HEAP_GROWTH_BYTES);
    return 0;
  }

  private static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
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

  @AfterEach
  void disconnect() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
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
    return new Request("POST", "/api/v1/events", headers, plain.body(), NONE, true);
  }

  /**
   * What is known of a store. Its mark moves with each write, also with some that change nothing,
   * as locks of rows; only then all of its content is compared.
   */
  private static final class Store {
    private final Supplier<List<String>> content;
    private final Supplier<String> mark;
    private String lastMark = "";
    private @Nullable List<String> known;

    Store(Supplier<List<String>> content, Supplier<String> mark) {
      this.content = content;
      this.mark = mark;
    }

    List<String> look() {
      List<String> now = content.get();
      known = now;
      lastMark = mark.get();
      return now;
    }

    boolean isWritten() {
      String former = lastMark;
      lastMark = mark.get();
      return !lastMark.equals(former);
    }
  }

  /** A refusal behind a change is sent again, since what it found is not known. */
  private void assertUnchanged(Store store, Request request, boolean mayChange, long seed) {
    if (mayChange) {
      forget();
      return;
    }
    disconnect(); // A comparison may last longer than the server keeps an idle connection.
    List<String> before = store.known;
    if (before == null) {
      before = store.look();
      if (mayHaveChanged(request, send(request, seed))) {
        forget();
        return;
      }
    }
    disconnect();
    List<String> found = before;
    List<String> now = store.look();
    compared++;
    assertThat(now)
        .withFailMessage(
            () -> "seed %d: %s%nchanges %s".formatted(seed, request, difference(found, now)))
        .isEqualTo(found);
  }

  /** What has changed in one store can be moved to the other. */
  private void forget() {
    stores.forEach(store -> store.known = null);
  }

  private String numberOfWrites() {
    return servers.redis(
        redis ->
            Objects.requireNonNull(redis.serverCommands().info("persistence"))
                .getProperty("rdb_changes_since_last_save"));
  }

  private List<String> content() {
    return Stream.of(rows(), keys()).flatMap(List::stream).toList();
  }

  private List<String> rows() {
    awaitTasks();
    return called(servers.rows());
  }

  private List<String> keys() {
    awaitTasks();
    return called(servers.keys());
  }

  /** Those that were accepted. */
  private void awaitTasks() {
    await().until(() -> records.number("select count(*) from task where state = 'running'") == 0);
    periods.forEach(journal::drain);
  }

  private static List<String> called(List<String> content) {
    content.removeIf(each -> WITHOUT_A_CALL.matcher(each).find());
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

  /** A payout file is recorded when it is read, because its references are paid. */
  private static boolean mayHaveChanged(Request request, int status) {
    return status < 400
        && (!Set.of("GET", "HEAD").contains(request.method()) || request.path().contains("payout"));
  }

  /** Of a request that fails, the first changes that suffice are named. */
  private int sendOrShrink(long chosen, long seed) {
    try {
      return send(HostileRequests.hostile(valid, chosen, HostileRequests.MAX_CHANGES), seed);
    } catch (AssertionError failure) {
      for (int most = 0; most < HostileRequests.MAX_CHANGES; most++) {
        send(HostileRequests.hostile(valid, chosen, most), seed);
      }
      throw failure;
    }
  }

  private int send(Request request, long seed) {
    sent++;
    long start = System.nanoTime();
    List<String> answers;
    try {
      answers = request.isFramed() ? List.of(answerInTurn(request)) : answersOnOwn(request);
    } catch (UncheckedIOException e) {
      disconnect();
      throw new AssertionError("seed %d: no answer to %s".formatted(seed, request), e);
    }
    longestNanos = Math.max(longestNanos, System.nanoTime() - start);
    if (ASKED > 0) {
      assertThat(Duration.ofNanos(System.nanoTime() - start)).as("%s", request).isLessThan(LATEST);
    }
    assertThat(answers).as("seed %d: %s", seed, request).isNotEmpty();
    answers.forEach(answer -> assertDocumented(request, answer, seed));
    return status(answers.get(0));
  }

  private static void assertDocumented(Request request, String answer, long seed) {
    int status = status(answer);
    boolean saysWhy = answer.contains("urn:palmares:problem:") || request.method().equals("HEAD");
    boolean isDocumented =
        status > 0 && status < 500 || Set.of(501, 503).contains(status) && saysWhy;
    boolean leaks = status >= 400 && LEAK.matcher(answer).matches();
    assertThat(isDocumented && !leaks)
        .withFailMessage("seed %d: %s%nanswers %s", seed, request, answer)
        .isTrue();
  }

  private static int status(String answer) {
    return answer.matches("(?s)HTTP/1.1 \\d{3}.*") ? Integer.parseInt(answer.substring(9, 12)) : 0;
  }

  /** On a connection with others, each of which gets its own answer. */
  private String answerInTurn(Request request) {
    RawHttp used = connection == null ? new RawHttp(port) : connection;
    connection = used;
    String answer = used.send(text(request)).answer(!request.method().equals("HEAD"));
    if (answer.contains("Connection: close") || answer.contains("text/event-stream")) {
      disconnect();
    } else if (sent % OF_A_PROBE == 0) {
      String next = used.send(text(probe())).answer();
      assertThat(isOfProbe(next)).as("%s%nthen comes %s", request, next).isTrue();
    }
    return answer;
  }

  /**
   * On its own connection, with another one behind it: what a server could read in two ways ends
   * the connection, or is one request.
   */
  private List<String> answersOnOwn(Request request) {
    try (var own = new RawHttp(port)) {
      own.send(text(request) + text(probe()));
      List<String> answers = own.answers(!request.method().equals("HEAD"));
      assertThat(answers.toString()).as("%s", request).doesNotContain(SMUGGLED);
      assertThat(answers.stream().skip(1))
          .as("%s", request)
          .allMatch(answer -> isOfProbe(answer) || status(answer) >= 400);
      return answers;
    }
  }

  /** A request whose answer names it. */
  private Request probe() {
    List<String> headers = List.of("Host: localhost", "Authorization: Bearer " + key);
    return new Request("GET", PROBED + sent, headers, new byte[0], NONE, true);
  }

  private boolean isOfProbe(String answer) {
    return answer.contains(PROBED + sent + "\"");
  }

  private static String text(Request request) {
    return new String(request.bytes(), ISO_8859_1);
  }
}

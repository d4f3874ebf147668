package palmares.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.calendar.Slot;

/**
 * {@code compose.yaml} from nothing to settled periods: events sent over HTTP by a key, closed by
 * one of two schedulers in containers with a read-only root file system, and verified. The first
 * person signs in to the console with the password in the writer's log.
 *
 * <p>Needs a Docker engine, its plugin compose or docker-compose, and the images: {@code
 * src/deploy/test}.
 */
class ComposeTest {
  /** What a sample's action needs. */
  private static final Map<String, String> ACTIONS =
      Map.of(
          "activity-daily", "comment",
          "coins", "coin",
          "quiz", "right-answer",
          "commits-daily", "commit");

  private static final int MEMBERS = 40;

  /**
   * From the start to the end of the grace; the servers start meanwhile. A busy machine needs more:
   * {@code -Dtests.due=180}.
   */
  private static final Duration UNTIL_DUE = Duration.ofSeconds(Integer.getInteger("tests.due", 90));

  private static final Duration MAX_GRACE = Duration.ofDays(7);
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final String project = "palmares-test-" + ProcessHandle.current().pid();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> environment = new LinkedHashMap<>();

  @TempDir private Path folder;
  private int port;
  private int prometheus;

  @BeforeEach
  void chooseSettings() throws IOException {
    port = freePort();
    prometheus = freePort();
    environment.put("POSTGRES_PASSWORD", "a-password-of-this-test");
    environment.put("PORT", "" + port);
    environment.put("PROMETHEUS_PORT", "" + prometheus);
    environment.put("PALMARES_JOBS", folder.toString());
    // The containers' user is another one.
    assertThat(folder.toFile().setReadable(true, false)).isTrue();
    assertThat(folder.toFile().setExecutable(true, false)).isTrue();
  }

  @AfterEach
  void removeEverything() {
    compose("down", "--volumes", "--timeout", "30");
  }

  @Test
  void theDemosBoardsSettleInIt() throws IOException, InterruptedException {
    Instant start = Instant.now();
    Map<Board, Slot> ended = writeBoards(start);
    compose("up", "--detach");
    await("the writer is ready", () -> get(port, "/api/v1/boards/coins/periods/current") == 200);
    Duration ready = Duration.between(start, Instant.now());

    String sender = createKey("writer");
    ended.forEach((board, slot) -> send(sender, board, slot));
    Duration sent = Duration.between(start, Instant.now());
    assertThat(sent).as("sent before the grace is over").isLessThan(UNTIL_DUE);

    String reader = createKey("reader");
    var settled = new ArrayList<Duration>();
    ended.forEach(
        (board, slot) -> {
          String path = "/api/v1/boards/%s/periods/%s".formatted(board.id(), slot.name());
          await(
              path + " is settled",
              () -> body(port, path, reader).contains("\"state\":\"settled\""));
          settled.add(Duration.between(start, Instant.now()));
        });
    assertThat(compose("exec", "-T", "--index=2", "scheduler", "palmares", "verify"))
        .contains("verified: %d periods".formatted(ended.size()))
        .contains("0 missing, 0 extra, 0 unequal");
    System.out.printf(
        "compose: ready after %d s, events sent after %d s, due after %d s, first period settled"
            + " after %d s, all %d after %d s%n",
        ready.toSeconds(),
        sent.toSeconds(),
        UNTIL_DUE.toSeconds(),
        settled.get(0).toSeconds(),
        settled.size(),
        settled.get(settled.size() - 1).toSeconds());

    assertThat(signIn()).contains("name=\"wanted\"");
    for (String service : List.of("writer", "scheduler")) {
      assertThat(compose("exec", "-T", service, "sh", "-c", "id -u; touch /opt/x 2>&1 || true"))
          .contains("10001", "Read-only file system");
    }
    await(
        "Prometheus sees one writer and two schedulers",
        () -> body(prometheus, "/api/v1/query?query=sum(up)", "").contains("\"3\"]"));
  }

  /**
   * Writes those samples whose periods ended within the last days, with a grace that is over soon:
   * their events may arrive now, and they close in a minute.
   */
  private Map<Board, Slot> writeBoards(Instant start) {
    var ended = new LinkedHashMap<Board, Slot>();
    for (Board board : BoardFiles.readSamples().all()) {
      if (!ACTIONS.containsKey(board.id().value())) {
        continue;
      }
      Instant end = board.calendar().at(start).orElseThrow().startsAt();
      Slot slot = board.calendar().at(end.minusSeconds(1)).orElseThrow();
      Duration grace = Duration.between(end, start.plus(UNTIL_DUE));
      assertThat(grace).isLessThan(MAX_GRACE);
      String text =
          board.source().text().replaceAll("(?m)^(grace|clock):.*$", "").stripTrailing()
              + "\nclock: event\ngrace: %ds\n".formatted(grace.toSeconds());
      try {
        Path file = Files.writeString(folder.resolve(board.id() + ".yml"), text);
        assertThat(file.toFile().setReadable(true, false)).isTrue();
      } catch (IOException e) {
        fail("cannot write the board file", e);
      }
      ended.put(board, slot);
    }
    assertThat(ended).hasSameSizeAs(ACTIONS);
    return ended;
  }

  private void send(String key, Board board, Slot slot) {
    var events = new StringBuilder();
    for (int i = 0; i < MEMBERS * 5; i++) {
      events.append(
          """
          {"id":"%1$s-%2$d","board":"%1$s","member":"m%3$d","action":"%4$s","subject":"s%2$d",\
          "occurredAt":"%5$s"}
          """
              .formatted(
                  board.id(),
                  i,
                  i * i % MEMBERS,
                  ACTIONS.get(board.id().value()),
                  slot.startsAt().plusSeconds(i + 1)));
    }
    var request =
        HttpRequest.newBuilder(uri(port, "/api/v1/events"))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(events.toString()))
            .build();
    try {
      var answer = http.send(request, BodyHandlers.ofString());
      assertThat(answer.body()).contains("\"applied\"").doesNotContain("\"refused\"", "\"late\"");
    } catch (IOException | InterruptedException e) {
      fail("the writer does not take events", e);
    }
  }

  /** Signs the first person in, and returns the page that follows. */
  private String signIn() throws IOException, InterruptedException {
    String password = find(compose("logs", "writer"), "with the password (\\S+),");
    var page =
        http.send(
            HttpRequest.newBuilder(uri(port, "/console/sign-in")).build(), BodyHandlers.ofString());
    String form =
        "name=admin&password=%s&_csrf=%s"
            .formatted(password, find(page.body(), "name=\"_csrf\" value=\"([^\"]+)\""));
    var signedIn =
        http.send(
            HttpRequest.newBuilder(uri(port, "/console/sign-in"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Cookie", cookies(page))
                .POST(BodyPublishers.ofString(form))
                .build(),
            BodyHandlers.ofString());
    assertThat(signedIn.headers().firstValue("Location").map(URI::create).map(URI::getPath))
        .as(signedIn.body())
        .hasValue("/console/password");
    var request =
        HttpRequest.newBuilder(uri(port, "/console/password")).header("Cookie", cookies(signedIn));
    return http.send(request.build(), BodyHandlers.ofString()).body();
  }

  /** What a browser would send back; it treats localhost as it treats HTTPS. */
  private static String cookies(HttpResponse<?> response) {
    return response.headers().allValues("Set-Cookie").stream()
        .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
        .collect(Collectors.joining("; "));
  }

  private static String find(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group(1);
  }

  private int get(int ofPort, String path) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(uri(ofPort, path)).build(), BodyHandlers.discarding())
        .statusCode();
  }

  /** Reads with the key of a program, which Prometheus ignores. */
  private String body(int ofPort, String path, String key)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(uri(ofPort, path)).header("Authorization", "Bearer " + key);
    return http.send(request.build(), BodyHandlers.ofString()).body();
  }

  private String createKey(String role) {
    return compose(
            "exec",
            "-T",
            "writer",
            "palmares",
            "api-keys",
            "create",
            "--name",
            role,
            "--role",
            role)
        .strip();
  }

  private static URI uri(int ofPort, String path) {
    return URI.create("http://localhost:" + ofPort + path);
  }

  private void await(String what, Callable<Boolean> reached) {
    try {
      Awaitility.await(what)
          .ignoreExceptions()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(200))
          .until(reached);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(e.getMessage() + "\n" + compose("logs", "--tail=30"), e);
    }
  }

  /** Docker's plugin, or the program of the same name before it. */
  private static List<String> program() {
    for (List<String> program : List.of(List.of("docker", "compose"), List.of("docker-compose"))) {
      var version = new ArrayList<>(program);
      version.add("version");
      if (run(Map.of(), version.toArray(String[]::new)).exitCode() == 0) {
        return program;
      }
    }
    return fail("neither Docker's plugin compose nor docker-compose is installed");
  }

  private String compose(String... arguments) {
    var command =
        Stream.of(
                program().stream(),
                Stream.of("-p", project, "-f", "src/deploy/compose.yaml"),
                Stream.of(arguments))
            .flatMap(part -> part)
            .toArray(String[]::new);
    Result result = run(environment, command);
    assertThat(result.exitCode()).as(String.join(" ", command) + "\n" + result.notes()).isZero();
    return result.out();
  }

  private record Result(int exitCode, String out, String notes) {}

  private static Result run(Map<String, String> environment, String... command) {
    try {
      Path notes = Files.createTempFile("compose", ".err");
      var builder = new ProcessBuilder(command).redirectError(notes.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), UTF_8);
      var result = new Result(process.waitFor(), out, Files.readString(notes));
      Files.delete(notes);
      return result;
    } catch (IOException | InterruptedException e) {
      return new Result(127, "", e.toString());
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}

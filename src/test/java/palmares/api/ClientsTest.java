package palmares.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.period.Period;
import palmares.testing.Api;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The clients that the documentation offers, each run as a reader runs it. */
@WorldTest
class ClientsTest {
  private static final Path CLIENTS = Path.of("src", "docs", "clients");

  /** Where {@code src/deploy/generate-clients} puts what it generates. */
  private static final Path GENERATED = Path.of("target", "clients");

  /** Strips the types for a Node that does not; the site's build installs it. */
  private static final Path ESBUILD =
      Path.of("target", "site", "node_modules", ".bin", "esbuild").toAbsolutePath();

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static final NewKey KEY =
      new NewKey("client", Set.of(Role.WRITER, Role.READER), Set.of(), null);

  @Autowired private World world;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;
  @TempDir private Path folder;

  private final List<Process> started = new ArrayList<>();
  private Period day;
  private String key;

  private enum Language {
    PYTHON,
    TYPESCRIPT,
    JAVA
  }

  @BeforeEach
  void createABoard() {
    day = world.open(world.board(Rules.day()));
    key = keys.create(KEY, "tester", "test");
  }

  @AfterEach
  void endClients() {
    started.forEach(Process::destroyForcibly);
  }

  @ParameterizedTest
  @EnumSource
  void anEventWhoseAnswerIsLostIsSentAgainAndCountsOnce(Language language) throws Exception {
    var lost = new AtomicBoolean();
    HttpServer gateway =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    gateway.createContext("/", exchange -> passOn(exchange, lost.compareAndSet(false, true)));
    gateway.start();
    try {
      Process client = start(language, gateway.getAddress().getPort(), "send", "ann", "coin", "c1");
      assertThat(client.inputReader(UTF_8).lines())
          .singleElement()
          .asString()
          .contains("duplicate");
      assertThat(client.waitFor()).isZero();
    } finally {
      gateway.stop(0);
    }
    assertThat(lines()).containsExactly("ann 1");
  }

  @ParameterizedTest
  @EnumSource
  void theTopIsFollowedUntilThePeriodIsSealed(Language language) throws Exception {
    world.take(Fact.by("ann").times(3).does("coin"));
    Process client = start(language, port, "follow");
    BufferedReader out = client.inputReader(UTF_8);
    assertThat(out.readLine()).contains("ann").doesNotContain("bob");
    world.take(Fact.by("bob").times(5).does("coin"));
    assertThat(out.readLine()).containsSubsequence("bob", "ann");
    world.settle(day);
    assertThat(out.lines()).last().asString().containsSubsequence("bob", "ann");
    assertThat(client.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(client.exitValue()).isZero();
  }

  /** Passes a request on, and answers with what came back, or with 503 to lose it. */
  private void passOn(HttpExchange exchange, boolean lose) throws IOException {
    try (exchange) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://localhost:" + port + exchange.getRequestURI()))
              .header("Authorization", exchange.getRequestHeaders().getFirst("Authorization"))
              .header("Content-Type", exchange.getRequestHeaders().getFirst("Content-Type"))
              .POST(BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()))
              .build();
      HttpResponse<byte[]> answer =
          HttpClient.newHttpClient().send(request, BodyHandlers.ofByteArray());
      assertThat(answer.statusCode()).isEqualTo(200);
      exchange.sendResponseHeaders(lose ? 503 : 200, lose ? -1 : answer.body().length);
      if (!lose) {
        exchange.getResponseBody().write(answer.body());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatIsGeneratedFromTheDocumentSendsAnEvent(Language language) throws Exception {
    assumeTrue(Files.exists(GENERATED), "src/deploy/generate-clients was not run");
    Process client =
        start(generated(language), port, day.board().value(), "ann", "coin", "g-" + language);
    assertThat(client.inputReader(UTF_8).lines())
        .singleElement()
        .asString()
        .contains("applied", "g-" + language);
    assertThat(client.waitFor()).isZero();
    assertThat(lines()).containsExactly("ann 1");
  }

  private static List<String> generated(Language language) throws IOException {
    return switch (language) {
      case PYTHON ->
          List.of(
              GENERATED.resolve("python/venv/bin/python").toString(),
              GENERATED.resolve("python/send.py").toString());
      case TYPESCRIPT ->
          List.of(onPath("node"), GENERATED.resolve("typescript/send.mjs").toString());
      case JAVA ->
          List.of(
              JAVA,
              "-cp",
              GENERATED.resolve("java/target/classes")
                  + File.pathSeparator
                  + Files.readString(GENERATED.resolve("java/classpath")),
              "SendEvent");
    };
  }

  private Process start(Language language, int atPort, String verb, String... arguments)
      throws IOException, InterruptedException {
    return start(
        program(language),
        atPort,
        Stream.concat(Stream.of(verb, day.board().value()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  private Process start(List<String> program, int atPort, String... arguments) throws IOException {
    List<String> command =
        Stream.of(
                program.stream(),
                Stream.of("http://localhost:" + atPort, key),
                Stream.of(arguments))
            .flatMap(part -> part)
            .toList();
    Process client =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    started.add(client);
    return client;
  }

  private List<String> program(Language language) throws IOException, InterruptedException {
    return switch (language) {
      case PYTHON -> List.of(onPath("python3"), CLIENTS.resolve("palmares.py").toString());
      case JAVA -> List.of(JAVA, CLIENTS.resolve("Palmares.java").toString());
      case TYPESCRIPT -> {
        assumeTrue(Files.isExecutable(ESBUILD), "src/site/build was not run");
        Path script = folder.resolve("palmares.mjs");
        int stripped =
            new ProcessBuilder(
                    ESBUILD.toString(),
                    CLIENTS.resolve("palmares.ts").toString(),
                    "--target=node20",
                    "--outfile=" + script)
                .inheritIO()
                .start()
                .waitFor();
        assertThat(stripped).isZero();
        yield List.of(onPath("node"), script.toString());
      }
    };
  }

  private static String onPath(String program) {
    boolean found =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    assumeTrue(found, program + " is not installed");
    return program;
  }

  private List<String> lines() {
    return new Api(port, key)
        .get("/boards/" + day.board() + "/periods/current/top")
        .body()
        .path("lines")
        .valueStream()
        .map(line -> line.path("member").asString() + " " + line.path("points").asString())
        .toList();
  }
}

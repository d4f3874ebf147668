package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import palmares.api.identity.ApiKeys;
import palmares.testing.Api;
import palmares.testing.RawHttp;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Invalid or excessive requests are refused early, as problems of the client. */
@WorldTest
@ExtendWith(OutputCaptureExtension.class)
class RequestLimitsTest {
  private static final String JSON = "Content-Type: application/json";
  private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
  private static final String CHUNKED = "Transfer-Encoding: chunked";

  @LocalServerPort private int port;
  @Autowired private World world;
  @Autowired private ApiKeys keys;
  @Autowired private RequestLimits limits;
  @Autowired private ServletWebServerApplicationContext application;

  private TomcatWebServer server;
  private String friends;
  private String key;
  private RawHttp caller;

  @BeforeEach
  void createABoard() {
    friends = "/api/v1/boards/%s/periods/current/friends".formatted(world.board(Rules.day()).id());
    key = "Authorization: Bearer " + Api.key(keys, "limits");
    caller = new RawHttp(port);
    server = (TomcatWebServer) Objects.requireNonNull(application.getWebServer());
  }

  @AfterEach
  void leave() {
    caller.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count=%",
        "count=%zz",
        "member=%FF",
        "x=%C3%28",
        "%C0%AF=1",
        "a=%ED%A0%80",
        "a%0Aforged=%FF"
      })
  void aQueryThatIsNotUtf8IsABadRequestOnEveryPath(String query, CapturedOutput log) {
    for (String path :
        new String[] {friends, "/api/v1/events", "/actuator/prometheus", "/nowhere", "/error"}) {
      String answer = new RawHttp(port).head("GET " + path + "?" + query + " HTTP/1.1").answer();
      assertProblem(answer, 400, "bad-request");
    }
    assertThat(log).doesNotContain("a request failed").doesNotContain("\tat ");
    assertThat(log).contains("a query cannot be parsed").doesNotContain("forged");
  }

  @Test
  void aClientMayNameManyLanguages() {
    String languages = "Accept-Language: " + "zh,".repeat(1_000);
    assertThat(caller.head("GET " + friends + " HTTP/1.1", languages).answer())
        .startsWith("HTTP/1.1 4")
        .contains("urn:palmares:problem:");
  }

  @Test
  void tooManyParametersAreABadRequest(CapturedOutput log) {
    String query = IntStream.range(0, 1_500).mapToObj(i -> "a").collect(Collectors.joining("&"));
    assertProblem(
        caller.head("GET " + friends + "?" + query + " HTTP/1.1").answer(), 400, "bad-request");
    assertThat(log).doesNotContain("a request failed").doesNotContain("\tat ");
  }

  @Test
  void aBodyAnnouncedTooLargeIsRefusedByItsHeaders() {
    for (String path : new String[] {"/api/v1/events", "/api/v1/members", friends, "/nowhere"}) {
      String answer =
          new RawHttp(port)
              .head("POST " + path + " HTTP/1.1", JSON, key, "Content-Length: 100000000")
              .answer();
      assertProblem(answer, 413, "too-large");
    }
    String answer =
        caller.head("POST " + friends + " HTTP/1.1", JSON, "Content-Length: 1000000").answer();
    assertProblem(answer, 413, "too-large");
  }

  @Test
  void formsAreNotParsed() {
    String answer =
        caller.head("PUT /api/v1/events HTTP/1.1", FORM, "Content-Length: 4000000").answer();
    assertProblem(answer, 405, "method-not-allowed");
    try (var other = new RawHttp(port)) {
      other.head("POST " + friends + "?member=ann HTTP/1.1", FORM, "Content-Length: 2000000");
      assertProblem(other.answer(), 415, "unsupported-media-type");
    }
  }

  /** A person sees a page, and the next request on the connection is read as one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Content-Length: 1048577     | A form takes at most 1 MB",
        "Content-Length: 100000000   | A form takes at most 1 MB",
        "Transfer-Encoding: chunked  | A form takes at most 1 MB",
        "Content-Length: 2001        | A form has at most 1,000 fields",
        "Content-Length: 5           | The form cannot be parsed"
      })
  void aFormThatCannotBeReadIsAnsweredWithAPage(String length, String problem) {
    boolean isLarge = problem.endsWith("1 MB");
    String answer =
        caller.head("POST /console/verbs/hold HTTP/1.1", FORM, length).send(form(length)).answer();
    assertThat(answer)
        .startsWith(isLarge ? "HTTP/1.1 413" : "HTTP/1.1 400")
        .contains("Content-Type: text/html")
        .contains(problem, "What you typed could not be kept");
    caller.close(); // else the rest of the form is awaited
    await().until(() -> limits.load().isIdle());
  }

  private static String form(String length) {
    return switch (length) {
      case "Content-Length: 1048577" -> "a".repeat(1_048_577); // else Tomcat awaits the rest
      case "Content-Length: 100000000" -> "a".repeat(100);
      case "Transfer-Encoding: chunked" -> "100001\r\n" + "a".repeat(0x100001) + "\r\n0\r\n\r\n";
      case "Content-Length: 2001" -> "&".repeat(2_001);
      default -> "a=%zz";
    };
  }

  /** Nothing of a form that announces more than it sends is used. */
  @Test
  void aFormThatBreaksOffHasNoEffect() {
    caller.head("POST /console/sign-in HTTP/1.1", FORM, "Content-Length: 1000");
    caller.send("name=ann&password=secret");
    caller.close();
    await().until(() -> limits.load().isIdle());
    try (var other = new RawHttp(port)) {
      other.head("POST /console/sign-in HTTP/1.1", FORM, "Content-Length: 9");
      assertThat(other.send("name=ann&password=secret").answer())
          .as("what is behind the announced length is another request")
          .startsWith("HTTP/1.1 302");
      assertThat(other.answer()).startsWith("HTTP/1.1 400");
    }
  }

  @Test
  void aBodyIsReadOnlyWithAValidKey() {
    for (String path : new String[] {"/api/v1/events", "/api/v1/members"}) {
      String answer =
          new RawHttp(port)
              .head("POST " + path + " HTTP/1.1", JSON, "Content-Length: 50000")
              .answer();
      assertProblem(answer, 401, "unauthorized");
    }
  }

  /** Else one address without a key would hold half of the threads. */
  @Test
  void whoHasNoKeySendsFewSlowBodiesAtATime() {
    List<RawHttp> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 12; i++) {
        var each = new RawHttp(port);
        slow.add(each.head("POST /console/sign-in HTTP/1.1", FORM, "Content-Length: 1000"));
        each.send("name=");
      }
      await().until(() -> answered(slow) >= 2);
      assertThat(limits.load().transfersOf("127.0.0.1")).isEqualTo(10);
      caller.head("POST /api/v1/events HTTP/1.1", JSON, key, "Content-Length: 2");
      assertThat(caller.send("[]").answer())
          .as("with a key, from the same address")
          .startsWith("HTTP/1.1 200");
      try (var other = new RawHttp(port)) {
        other.head("POST /api/v1/events HTTP/1.1", JSON, "Content-Length: 2");
        assertProblem(other.send("[]").answer(), 401, "unauthorized");
        other.head("POST /api/v1/events HTTP/1.1", JSON, "Content-Length: 2");
        assertProblem(other.send("[]").answer(), 401, "unauthorized");
      }
    } finally {
      slow.forEach(RawHttp::close);
    }
    await().until(() -> limits.load().isIdle());
  }

  /** All send nothing, and half of a head; some send a body that does not go on, too. */
  @Test
  void slowClientsOfManyAddressesLeaveRoomForOthers() {
    List<RawHttp> slow = new ArrayList<>();
    var bodies = new ArrayList<String>();
    try {
      for (int i = 2; i <= 250; i++) {
        String address = "127.0.0." + i;
        slow.add(new RawHttp(port, 0, address));
        slow.add(new RawHttp(port, 0, address).send("GET / HTTP/1.1\r\nHost: loc"));
        if (i % 3 == 0) {
          var each = new RawHttp(port, 0, address);
          slow.add(each.head("POST /console/sign-in HTTP/1.1", FORM, "Content-Length: 1000"));
          each.send("name=");
          bodies.add(address);
        }
      }
      await().until(() -> bodies.stream().anyMatch(each -> limits.load().transfersOf(each) > 0));
      try (var honest = new RawHttp(port)) {
        honest.head("GET /api/v1/openapi.json HTTP/1.1", key);
        assertThat(honest.answer()).startsWith("HTTP/1.1 200");
      }
      assertThat(postNothing()).startsWith("HTTP/1.1 200");
    } finally {
      slow.forEach(RawHttp::close);
    }
    await().until(() -> limits.load().isIdle());
  }

  private String postNothing() {
    try (var honest = new RawHttp(port)) {
      honest.head("POST /api/v1/events HTTP/1.1", JSON, key, "Content-Length: 2");
      return honest.send("[]").answer();
    }
  }

  private static long answered(List<RawHttp> callers) {
    return callers.stream().filter(RawHttp::hasAnswer).count();
  }

  @Test
  void continueIsSentOnlyIfTheBodyIsRead() {
    String[] head = {
      "POST /api/v1/events HTTP/1.1", JSON, "Content-Length: 2", "Expect: 100-continue"
    };
    assertProblem(new RawHttp(port).head(head).answer(), 401, "unauthorized");
    head[0] += "\r\n" + key;
    assertThat(caller.head(head).answer()).startsWith("HTTP/1.1 100");
    assertThat(caller.send("[]").answer()).startsWith("HTTP/1.1 200");
  }

  /** So that a client never sends its next request on a connection that the server has ended. */
  @ParameterizedTest
  @CsvSource({
    "POST /api/v1/events,     401, false",
    "POST /api/v1/ops/people, 403, true",
    "POST /nowhere,           404, false",
    "POST /nowhere,           404, true",
    "PUT /api/v1/events,      405, true",
    "POST /api/v1/members,    415, true"
  })
  void aConnectionGoesOnAfterARefusalUnlessTheAnswerSaysOtherwise(
      String line, int status, boolean withKey) {
    String type = "Content-Type: " + (status == 415 ? "text/plain" : "application/json");
    String who = withKey ? key : "Accept: */*";
    for (int i = 0; i < 3; i++) {
      // The body comes after the server has read the headers, or even refused them.
      caller.head(line + " HTTP/1.1", type, who, "Content-Length: 2");
      String answer = caller.send("{}").answer();
      assertThat(answer)
          .startsWith("HTTP/1.1 " + status + " ")
          .doesNotContainIgnoringCase("Connection: close");
    }
    caller.head(line + " HTTP/1.1", type, who, "Content-Length: 2", "Expect: 100-continue");
    assertThat(caller.answer()).containsIgnoringCase("Connection: close");
    assertThat(caller.isClosedByServer()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"members\":[1,                | invalid-field",
        "{\"members\":[[],               | invalid-field",
        "{\"members\":7                  | invalid-field",
        "{\"friends\":[                  | unknown-field",
        "[[[[[[[[                        | malformed"
      })
  void aBodyIsReadOnlyUpToTheFirstError(String begin, String problem) {
    assertProblem(chunk(begin + " "), 400, problem);
  }

  @Test
  void tooManyMembersAreRefusedWhileTheyArrive() {
    assertProblem(chunk("{\"members\":[" + "\"a\",".repeat(1_001)), 413, "too-many-members");
  }

  /** Begins a body without end, and reads the response. */
  private String chunk(String text) {
    caller.head("POST " + friends + " HTTP/1.1", JSON, CHUNKED);
    return caller.send("%x\r\n%s\r\n".formatted(text.length(), text)).answer();
  }

  @ParameterizedTest
  @ValueSource(strings = {"zz\r\n", "-1\r\n", "5\r\nab", "2\r\n{}XX"})
  void aBrokenChunkIsAProblemOfTheClient(String chunk, CapturedOutput log) {
    caller.head("POST " + friends + " HTTP/1.1", JSON, CHUNKED);
    caller.send(chunk);
    if (chunk.startsWith("5")) {
      caller.close(); // disconnects within its body
      new RawHttp(port).head("GET /nowhere HTTP/1.1").answer();
    } else {
      assertProblem(caller.answer(), 400, "bad-request");
    }
    assertThat(log).doesNotContain("a request failed").doesNotContain("\tat ");
  }

  @Test
  void memoryAndTransfersAreReleasedAfterTheResponse() {
    String body = "[" + "1,".repeat(9_000) + "1]";
    for (int i = 0; i < 30; i++) {
      assertThat(new Api(port, Api.key(keys, "k" + i)).post(body).status()).isEqualTo(200);
      assertProblem(chunkOnNew("{\"members\":[1,"), 400, "invalid-field");
    }
    // The last response may arrive a moment before its share is released.
    await().until(() -> limits.load().isIdle());
  }

  private String chunkOnNew(String text) {
    try (var other = new RawHttp(port)) {
      other.head("POST " + friends + " HTTP/1.1", JSON, CHUNKED);
      return other.send("%x\r\n%s\r\n".formatted(text.length(), text)).answer();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TRACE /api/v1/events, 405, method-not-allowed",
    "TRACE /nowhere, 405, method-not-allowed",
    "GET /error, 404, not-found",
    "POST /error, 404, not-found",
    "OPTIONS /nowhere, 404, not-found",
    "PROPFIND /api/v1/events, 405, method-not-allowed",
    "CONNECT /api/v1/events, 501, not-implemented"
  })
  void unsupportedMethodsAreProblems(String line, int status, String problem) {
    assertProblem(caller.head(line + " HTTP/1.1").answer(), status, problem);
  }

  @Test
  void proxyRequestsAreRefused() {
    assertProblem(
        caller.send("CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n").answer(),
        501,
        "not-implemented");
  }

  @Test
  void optionsReturnsTheMethodsOfAPath() {
    String answer = caller.head("OPTIONS /api/v1/events HTTP/1.1").answer();
    assertThat(answer).startsWith("HTTP/1.1 200").contains("Allow: POST,OPTIONS");
  }

  @Test
  void responsesForbidTypeSniffing() {
    for (String line :
        new String[] {
          "GET /api/v1/openapi.json",
          "GET /nowhere",
          "GET /actuator/prometheus",
          "TRACE /",
          "GET /?%",
          "GET /%"
        }) {
      String answer = new RawHttp(port).head(line + " HTTP/1.1").answer();
      assertThat(answer).contains("X-Content-Type-Options: nosniff");
    }
  }

  @Test
  void theServerListensLocallyWithConnectionsThatFitTheHeap() {
    var http = (AddressBoundProtocol) server.getTomcat().getConnector().getProtocolHandler();
    assertThat(http.getAddress().isLoopbackAddress()).isTrue();
    long room = Runtime.getRuntime().maxMemory() / (256 << 10);
    assertThat(http.getMaxConnections()).isEqualTo((int) Math.min(8_192, room));
    assertThat(server.getTomcat().getConnector().getParseBodyMethods()).isEmpty();
  }

  private static void assertProblem(String answer, int status, String problem) {
    assertThat(answer)
        .startsWith("HTTP/1.1 " + status + " ")
        .contains("Content-Type: application/problem+json")
        .contains("X-Content-Type-Options: nosniff")
        .contains("\"urn:palmares:problem:" + problem + "\"")
        .contains("\"status\":" + status);
  }
}

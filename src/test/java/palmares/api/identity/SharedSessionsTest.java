package palmares.api.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.core.serializer.support.SerializingConverter;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.api.roles.Role;
import palmares.testing.Api;
import palmares.testing.Browser;
import palmares.testing.Contract;
import palmares.testing.ProxiedServer;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A person who signs in on one server is known to all, until the session ends on one of them. */
@WorldTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedSessionsTest {
  private static final String SHOP = "https://shop.example";
  private static final String ME = "/api/v1/ops/me";
  private static final String PEOPLE = "/api/v1/ops/people";
  private static final List<String> COOKIES = List.of("PALMARES", "XSRF-TOKEN");

  @Autowired private ApiKeys keys;
  @Autowired private People people;
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @LocalServerPort private int port;

  private ProxiedServer another;
  private Browser here;

  @BeforeAll
  void startAnother(@Autowired ApplicationContext context) throws IOException {
    another = new ProxiedServer(context, "--palmares.security.allowed-origins=" + SHOP);
  }

  @AfterAll
  void stop() throws IOException {
    another.close();
  }

  @BeforeEach
  void signIn() {
    world.now(another.application().getBean(Clock.class).instant());
    String first = people.add("ann", Set.of(Role.ADMIN), "tester", "test");
    here = new Browser(port);
    assertThat(here.signIn("ann", first).status()).isEqualTo(200);
    here.post(ME + "/password", Map.of("present", first, "wanted", "correct horse battery"));
  }

  /** The same browser, which a load balancer has sent to the other server. */
  private Browser there() {
    var browser = new Browser(another.port());
    COOKIES.forEach(name -> browser.setCookie(name, String.valueOf(here.cookie(name))));
    return browser;
  }

  @Test
  void aSessionActsOnEachServer() {
    Browser there = there();
    assertThat(there.get(ME).body().path("name").asString()).isEqualTo("ann");
    var bob = Map.of("reason", "new", "name", "bob", "roles", List.of("viewer"));
    assertThat(there.withoutToken().post(PEOPLE, bob).status()).isEqualTo(403);
    assertThat(there().post(PEOPLE, bob).status()).isEqualTo(200);
  }

  @Test
  void aSessionThatEndsOnOneServerHasEndedOnAll() {
    assertThat(there().post("/logout", null).status()).isEqualTo(204);
    assertThat(here.get(ME).status()).isEqualTo(401);
    assertThat(records.number("select count(*) from spring_session")).isZero();
  }

  @Test
  void aChangeOfAPersonEndsTheSessionOnAll() {
    people.setRoles("ann", Set.of(Role.ADMIN, Role.OPERATOR), "tester", "test");
    assertThat(there().get(ME).status()).isEqualTo(401);
    assertThat(here.get(ME).status()).isEqualTo(401);
  }

  @Test
  void aSessionEndsAfterTwelveHours() {
    world.pass(Duration.ofHours(12).minusSeconds(1));
    assertThat(here.get(ME).status()).isEqualTo(200);
    world.pass(Duration.ofSeconds(1));
    assertThat(here.get(ME).status()).isEqualTo(401);
  }

  @Test
  void aSessionEndsWithoutRequests() {
    for (int i = 0; i < 2; i++) {
      idle(Duration.ofMinutes(29));
      assertThat(here.get(ME).status()).isEqualTo(200);
    }
    idle(Duration.ofMinutes(30));
    assertThat(here.get(ME).status()).isEqualTo(401);
    signInAgain();
    idle(Duration.ofMinutes(30));
    assertThat(new Browser(port).signIn("ann", "correct horse battery").status()).isEqualTo(200);
    assertThat(records.number("select count(*) from spring_session")).as("ended ones").isOne();
  }

  /** Spring Session reads the time of the machine, which a test does not move. */
  private void idle(Duration duration) {
    servers.sql(
        """
        update spring_session
        set last_access_time = last_access_time - ?, expiry_time = expiry_time - ?
        """,
        duration.toMillis(),
        duration.toMillis());
  }

  private void signInAgain() {
    assertThat(here.signIn("ann", "correct horse battery").status()).isEqualTo(200);
  }

  @Test
  void whoReadsTheTableCannotUseASession() {
    String cookie = String.valueOf(here.cookie("PALMARES"));
    String secret = new String(Base64.getDecoder().decode(cookie), UTF_8);
    assertThat(
            records.words(
                """
                select session::text || encode(attribute_bytes, 'escape')
                from spring_session session
                join spring_session_attributes on session_primary_id = primary_id
                """))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row).doesNotContain(secret));
    for (String column : List.of("session_id", "primary_id")) {
      var thief = new Browser(port);
      String read = records.words("select %s from spring_session".formatted(column)).get(0);
      thief.setCookie("PALMARES", Base64.getEncoder().encodeToString(read.getBytes(UTF_8)));
      assertThat(thief.get(ME).status()).as(column).isEqualTo(401);
    }
  }

  /** Such as one of another version, or one that somebody has planted to run code. */
  @Test
  void aSessionThatCannotBeReadIsNone() throws Exception {
    plant("text");
    assertThat(here.get(ME).status()).isEqualTo(200);
    plant(new File("x"));
    assertThat(here.get(ME).status()).isEqualTo(401);
    signInAgain();
    servers.sql("update spring_session_attributes set attribute_bytes = ?", new byte[] {1, 2, 3});
    assertThat(here.get(ME).status()).isEqualTo(401);
  }

  private void plant(Object value) throws IOException {
    servers.sql(
        """
        insert into spring_session_attributes
        select primary_id, ?, ? from spring_session
        """,
        value.getClass().getName(),
        new SerializingConverter().convert(value));
  }

  @Test
  void withoutPostgresNobodySeemsToBeSignedOut() throws IOException {
    Browser there = there();
    another.postgres().cut();
    try {
      assertThat(there.get(ME).problem()).isEqualTo("database-unavailable");
      assertThat(there.post("/logout", null).problem()).isEqualTo("database-unavailable");
    } finally {
      another.postgres().restore();
      var restored = another.application().getBean(JdbcClient.class);
      await()
          .ignoreExceptions()
          .until(() -> restored.sql("select 1").query(Integer.class).single().equals(1));
    }
    assertThat(here.get(ME).status()).isEqualTo(200);
  }

  @Test
  void pagesOfAllowedOriginsMayCallWithAKeyAndReadWhatTheyNeed() throws Exception {
    String key = Api.ownKey(keys, "page", "tester", Role.VIEWER, Role.WRITER);
    for (String path : List.of("/api/v1/events", "/api/v1/ops/periods")) {
      for (String method : List.of("GET", "POST")) {
        HttpResponse<String> preflight = preflight(another.port(), path, SHOP, method);
        assertThat(preflight.statusCode()).as(method + path).isEqualTo(200);
        assertThat(allowed(preflight, "Origin")).hasValue(SHOP);
        assertThat(allowed(preflight, "Methods")).hasValue("GET,POST");
        assertThat(allowed(preflight, "Headers")).hasValue("authorization, content-type");
      }
      HttpResponse<String> other = preflight(another.port(), path, SHOP, "DELETE");
      assertThat(other.statusCode()).as(path).isEqualTo(403);
      assertThat(allowed(other, "Origin")).isEmpty();
    }
    assertReadable(call(another.port(), "GET", "/api/v1/ops/periods", SHOP, key), 200);
    assertReadable(call(another.port(), "POST", "/api/v1/events", SHOP, key), 200);
    assertReadable(call(another.port(), "GET", "/api/v1/ops/periods", SHOP, "wrong"), 401);
    assertThat(allowed(preflight(another.port(), "/console/sign-in", SHOP, "POST"), "Origin"))
        .isEmpty();
  }

  private static void assertReadable(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(allowed(answer, "Origin")).hasValue(SHOP);
    assertThat(answer.headers().firstValue("Access-Control-Expose-Headers").orElse("").split(", "))
        .contains(
            "ETag",
            "Link",
            "Location",
            "Retry-After",
            "Palmares-Status",
            "Palmares-Note",
            "Palmares-Next");
  }

  /** Without the setting, too: a browser shows an answer without the header to no page. */
  @Test
  void pagesOfOtherOriginsMayNotCall() throws Exception {
    String key = Api.ownKey(keys, "page", "tester", Role.VIEWER, Role.WRITER);
    for (String origin : List.of("https://evil.example", SHOP + ".evil.example", "null")) {
      for (String path : List.of("/api/v1/events", "/api/v1/ops/periods")) {
        HttpResponse<String> preflight = preflight(another.port(), path, origin, "POST");
        assertThat(preflight.statusCode()).as(origin + path).isEqualTo(403);
        assertThat(allowed(preflight, "Origin")).isEmpty();
      }
      HttpResponse<String> sent = call(another.port(), "POST", "/api/v1/events", origin, key);
      assertThat(sent.statusCode()).as(origin).isEqualTo(403);
      assertThat(sent.headers().firstValue("Content-Type")).hasValue("application/problem+json");
      assertThat(sent.body()).contains("urn:palmares:problem:forbidden");
      assertThat(allowed(sent, "Origin")).isEmpty();
    }
    for (String path : List.of("/api/v1/events", "/api/v1/ops/periods")) {
      assertThat(allowed(preflight(port, path, SHOP, "POST"), "Origin")).as(path).isEmpty();
    }
    assertThat(allowed(call(port, "GET", "/api/v1/ops/periods", SHOP, key), "Origin")).isEmpty();
    assertThat(allowed(call(port, "POST", "/api/v1/events", SHOP, key), "Origin")).isEmpty();
  }

  private static Optional<String> allowed(HttpResponse<String> answer, String what) {
    return answer.headers().firstValue("Access-Control-Allow-" + what);
  }

  private static HttpResponse<String> preflight(int port, String path, String origin, String method)
      throws Exception {
    return send(
        to(port, path)
            .method("OPTIONS", BodyPublishers.noBody())
            .header("Origin", origin)
            .header("Access-Control-Request-Method", method)
            .header("Access-Control-Request-Headers", "authorization,content-type"));
  }

  private static HttpResponse<String> call(
      int port, String method, String path, String origin, String key) throws Exception {
    return send(
        to(port, path)
            .method(
                method,
                method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("[]"))
            .header("Origin", origin)
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json"));
  }

  private static HttpRequest.Builder to(int port, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    Contract.check(answer);
    assertThat(allowed(answer, "Credentials")).as("a person's session never counts").isEmpty();
    return answer;
  }
}

package palmares.api.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.web.server.Cookie;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import palmares.api.roles.Role;
import palmares.operations.inbox.Inbox;
import palmares.operations.inbox.InboxItem;
import palmares.platform.Problem;
import palmares.testing.Browser;
import palmares.testing.Browser.Page;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** People sign in with a password, act by their roles, and are out as soon as they are changed. */
@WorldTest
class SignInTest {
  private static final String PASSWORD = "correct horse battery";
  private static final String PEOPLE = "/api/v1/ops/people";
  private static final String ME = "/api/v1/ops/me";
  private static final Map<String, String> REASON = Map.of("reason", "asked");

  @Autowired private People people;
  @Autowired private Inbox inbox;
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @LocalServerPort private int port;
  private String first;

  @BeforeEach
  void addAnn() {
    first = people.add("ann", Set.of(Role.ADMIN), "tester", "test");
  }

  private Browser ann() {
    var browser = new Browser(port);
    assertThat(browser.signIn("ann", first).status()).isEqualTo(200);
    assertThat(change(browser, first, PASSWORD).status()).isEqualTo(200);
    return browser;
  }

  private static Page change(Browser browser, String present, String wanted) {
    return browser.post(ME + "/password", Map.of("present", present, "wanted", wanted));
  }

  @Test
  void theFirstPersonIsAddedOnceIfThereIsNobody() {
    assertThat(people.addFirst()).as("there is ann").isEmpty();
    servers.sql("delete from person");
    String password = people.addFirst().orElseThrow();
    assertThat(people.addFirst()).isEmpty();
    Page me = new Browser(port).signIn(People.FIRST_PERSON_NAME, password);
    assertThat(me.body().path("roles").toString()).contains("admin");
    assertThat(me.body().path("mustChangePassword").asBoolean()).isTrue();
  }

  @Test
  void serversThatStartAtOnceAddOneFirstPerson() throws Exception {
    servers.sql("delete from person");
    var pool = Executors.newFixedThreadPool(4);
    try {
      long added = 0;
      Callable<Boolean> add = () -> people.addFirst().isPresent();
      for (var each : pool.invokeAll(Collections.nCopies(4, add))) {
        added += each.get() ? 1 : 0;
      }
      assertThat(added).isEqualTo(1);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void theOnlyAdminCannotBeLost() {
    assertThatThrownBy(() -> people.setEnabled("ann", false, "ann", "test"))
        .hasFieldOrPropertyWithValue("problem", Problem.ACCOUNT_REFUSED)
        .hasMessageContaining("ann is the only admin");
    assertThatThrownBy(() -> people.setRoles("ann", Set.of(Role.VIEWER), "ann", "test"))
        .hasFieldOrPropertyWithValue("problem", Problem.ACCOUNT_REFUSED);
    people.add("bob", Set.of(Role.ADMIN), "tester", "test");
    people.setEnabled("ann", false, "bob", "test");
    assertThatThrownBy(() -> people.setRoles("bob", Set.of(Role.OPERATOR), "bob", "test"))
        .hasFieldOrPropertyWithValue("problem", Problem.ACCOUNT_REFUSED);
  }

  @Test
  void nothingIsAllowedBeforeTheFirstPasswordIsChanged() {
    var browser = new Browser(port);
    Page me = browser.signIn("ann", first);
    assertThat(me.body().path("mustChangePassword").asBoolean()).isTrue();
    Page refused = browser.get(PEOPLE);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.problem()).isEqualTo("password-change-required");
    for (String bad : List.of("short", first, "x".repeat(73))) {
      assertThat(change(browser, first, bad).status()).as(bad).isEqualTo(400);
    }
    assertThat(change(browser, "not the password", PASSWORD).status()).isEqualTo(401);
    assertThat(change(browser, first, PASSWORD).status()).isEqualTo(200);
    assertThat(browser.get(PEOPLE).status()).isEqualTo(200);
    assertThat(new Browser(port).signIn("ann", first).status()).isEqualTo(401);
  }

  @Test
  void anotherSiteCannotUseASession() {
    Browser browser = ann();
    var bob = Map.of("reason", "new", "name", "bob", "roles", List.of("viewer"));
    assertThat(browser.withoutToken().post(PEOPLE, bob).status()).isEqualTo(403);
    assertThat(records.number("select count(*) from person")).isEqualTo(1);
    assertThat(ann(browser).post(PEOPLE, bob).status()).isEqualTo(200);
  }

  private Browser ann(Browser former) {
    var browser = new Browser(port);
    for (String name : List.of("PALMARES", "XSRF-TOKEN")) {
      browser.setCookie(name, String.valueOf(former.cookie(name)));
    }
    browser.get(ME);
    return browser;
  }

  @Test
  void theCookieOfASessionIsSecureAndAnotherOneAfterSigningIn() {
    var browser = new Browser(port);
    browser.setCookie("PALMARES", "planted");
    Page me = browser.signIn("ann", first);
    assertThat(me.response().headers().allValues("Set-Cookie"))
        .anySatisfy(
            cookie ->
                assertThat(cookie)
                    .startsWith("PALMARES=")
                    .doesNotContain("planted")
                    .contains("Secure", "HttpOnly", "SameSite=Lax"))
        .anySatisfy(
            cookie ->
                assertThat(cookie)
                    .startsWith("XSRF-TOKEN=")
                    .contains("Secure", "SameSite=Lax")
                    .doesNotContain("HttpOnly"));
    assertThat(me.response().headers().firstValue("Content-Security-Policy"))
        .hasValueSatisfying(
            policy ->
                assertThat(policy)
                    .contains("default-src 'none'; script-src 'self';", "frame-ancestors 'none'"));
    assertThat(me.response().headers().firstValue("X-Frame-Options")).hasValue("DENY");
  }

  @Test
  void theCookieOfTheTokenFollowsTheSettingsOfTheSessions() {
    var session = new Cookie();
    session.setSecure(false);
    session.setSameSite(Cookie.SameSite.STRICT);
    var request = new MockHttpServletRequest();
    request.setSecure(true);
    var response = new MockHttpServletResponse();
    var tokens = SecuritySetup.csrfTokens(session);
    tokens.saveToken(tokens.generateToken(request), request, response);
    var cookie = Objects.requireNonNull(response.getCookie("XSRF-TOKEN"));
    assertThat(cookie.getSecure()).isFalse();
    assertThat(cookie.getAttribute("SameSite")).isEqualTo("Strict");
  }

  @Test
  void anotherSiteCannotSignAPersonInAsSomebodyElse() throws Exception {
    String form = "name=ann&password=" + URLEncoder.encode(first, UTF_8);
    for (String path : List.of("sign-in", "sign%2Din", "%73ign-in", "sign-in;a=b")) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/console/".formatted(port) + path))
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(BodyPublishers.ofString(form))
              .build();
      var headers = HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).headers();
      assertThat(headers.firstValue("Location").orElse("")).as(path).endsWith("?expired");
      assertThat(headers.allValues("Set-Cookie")).as(path).noneMatch(c -> c.startsWith("PALM"));
    }
  }

  @Test
  void signingOutEndsTheSession() {
    Browser browser = ann();
    browser.get(ME);
    assertThat(browser.post("/logout", null).status()).isEqualTo(204);
    assertThat(browser.get(ME).status()).isEqualTo(401);
  }

  @Test
  void aChangeOfAPersonEndsTheSessions() {
    for (Runnable change :
        List.<Runnable>of(
            () -> people.setRoles("bob", Set.of(Role.OPERATOR), "ann", "test"),
            () -> people.resetPassword("bob", "ann", "test"),
            () -> people.setEnabled("bob", false, "ann", "test"))) {
      people.setEnabled("ann", true, "tester", "test");
      String password =
          people.all().stream().anyMatch(person -> person.name().equals("bob"))
              ? people.resetPassword("bob", "ann", "test")
              : people.add("bob", Set.of(Role.VIEWER), "ann", "test");
      var browser = new Browser(port);
      assertThat(browser.signIn("bob", password).status()).isEqualTo(200);
      assertThat(browser.get(ME).status()).isEqualTo(200);
      change.run();
      assertThat(browser.get(ME).status()).isEqualTo(401);
    }
    assertThat(new Browser(port).signIn("bob", "a former password").status()).isEqualTo(401);
  }

  @Test
  void guessesLockAPersonForAWhileEvenIfTheyAreConcurrent() throws Exception {
    var pool = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Integer>> guesses =
          IntStream.range(0, 20)
              .<Callable<Integer>>mapToObj(
                  n -> () -> guess("ann", "guess " + n, "10.0.0.1", null) ? 1 : 0)
              .toList();
      for (var guess : pool.invokeAll(guesses)) {
        assertThat(guess.get()).isZero();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(records.words("select source || ' ' || attempts from sign_in_attempt order by 1"))
        .containsExactly(" 20", "10.0.0.1 5");
    assertThat(guess("ann", first, "10.0.0.1", null)).as("locked").isFalse();
    world.pass(Duration.ofMinutes(15));
    assertThat(guess("ann", first, "10.0.0.1", null)).isTrue();
    assertThat(records.words("select source || ' ' || attempts from sign_in_attempt"))
        .containsExactly(" 0");
  }

  private boolean guess(String name, String password, String address, @Nullable String browser) {
    return people.signIn(name, password, address, browser).isPresent();
  }

  /** Else anybody who knows a name could shut its person out, four times an hour. */
  @Test
  void whoGuessesLocksThePersonOutNowhereElse() {
    guess5Times("10.0.0.1");
    assertThat(guess("ann", first, "10.0.0.2", null)).as("another address").isTrue();
    guess5Times("2001:db8::1");
    assertThat(guess("ann", first, "2001:db8::2", null)).as("the same network").isFalse();
    assertThat(guess("ann", first, "2001:db8:0:1::1", null)).isTrue();
    assertThat(inbox.items(null))
        .singleElement()
        .satisfies(
            item -> {
              assertThat(item.kind()).isEqualTo(InboxItem.Kind.LOCKED_OUT);
              assertThat(item.object()).isEqualTo("ann");
              assertThat(item.detail().values())
                  .isEqualTo(Map.of("addresses", "10.0.0.1, 20010db800000000/64"));
            });
    world.pass(Duration.ofHours(25));
    assertThat(inbox.items(null)).isEmpty();
  }

  private void guess5Times(String address) {
    for (int n = 0; n < 5; n++) {
      assertThat(guess("ann", "guess", address, null)).isFalse();
    }
  }

  @Test
  void aBrowserOnWhichThePersonHasSignedInIsNotLockedOutByOthers() {
    Browser known = ann();
    String browser = known.cookie("PALMARES-BROWSER");
    var elsewhere = new Browser(port);
    for (int n = 0; n < 6; n++) {
      elsewhere.signIn("ann", "guess");
    }
    assertThat(elsewhere.signIn("ann", PASSWORD).status()).as("locked").isEqualTo(401);
    assertThat(known.signIn("ann", PASSWORD).status()).isEqualTo(200);
    assertThat(guess("ann", PASSWORD, "127.0.0.1", "x" + browser)).as("forged").isFalse();
    people.add("bob", Set.of(Role.VIEWER), "ann", "test");
    for (int n = 0; n < 5; n++) {
      assertThat(guess("ann", "guess", "127.0.0.1", browser)).isFalse();
    }
    assertThat(guess("ann", PASSWORD, "127.0.0.1", browser)).as("a stolen browser").isFalse();
    assertThat(guess("ann", PASSWORD, "127.0.0.1", known.cookie("PALMARES-BROWSER"))).isTrue();
    String password = people.resetPassword("ann", "bob", "test");
    guess5Times("10.0.0.1");
    assertThat(guess("ann", password, "10.0.0.1", known.cookie("PALMARES-BROWSER")))
        .as("known by the former password")
        .isFalse();
  }

  /** As many as no person types: the password is guessed by many machines. */
  @Test
  void guessesFromManyAddressesLockAllOfThem() {
    servers.sql(
        """
        insert into sign_in_attempt (person, source, attempts, last_at)
        values ('ann', '', 98, ?)
        """,
        world.now().atOffset(ZoneOffset.UTC));
    assertThat(guess("ann", "guess", "10.0.0.1", null)).isFalse();
    assertThat(guess("ann", "guess", "10.0.0.2", null)).isFalse();
    assertThat(guess("ann", first, "10.0.0.3", null)).isFalse();
    assertThat(guess("ann", first, "10.0.0.3", people.knownBrowser("ann").orElseThrow())).isTrue();
    world.pass(Duration.ofMinutes(15));
    assertThat(guess("ann", first, "10.0.0.3", null)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/boards\r\nX: y",
        "/console/\n",
        "/console/\u2028",
        "/console/a b",
        "/console/[",
        "/console?x=%zz",
        "/console/../../x\\y",
        "//evil.example",
        "/consolex"
      })
  void aPathToGoOnToIsOneOfTheConsole(String next) {
    Browser browser = ann();
    browser.get(ME);
    Page in =
        browser.form("/console/sign-in", Map.of("name", "ann", "password", PASSWORD, "next", next));
    assertThat(in.status()).isEqualTo(302);
    Page again = browser.get("/console/sign-in?next=" + URLEncoder.encode(next, UTF_8));
    assertThat(again.status()).isEqualTo(302);
    for (Page page : List.of(in, again)) {
      assertThat(page.response().headers().firstValue("Location"))
          .hasValueSatisfying(
              to ->
                  assertThat(URI.create(to.replace("[", "%5B").replace("%zz", "")).getPath())
                      .startsWith("/console"));
    }
  }

  @Test
  void unknownPeopleAndWrongPasswordsGetTheSameAnswer() {
    Page wrong = new Browser(port).signIn("ann", "wrong password");
    Page unknown = new Browser(port).signIn("nobody", "wrong password");
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(unknown.response().body()).isEqualTo(wrong.response().body());
  }

  @Test
  void adminsManagePeopleAndKeys() {
    Browser admin = ann();
    admin.get(ME);
    Page added = admin.post(PEOPLE, person("bob", "operator"));
    assertThat(added.status()).as(added.response().body()).isEqualTo(200);
    assertThat(new Browser(port).signIn("bob", added.body().path("secret").asString()).status())
        .isEqualTo(200);
    assertThat(admin.post(PEOPLE, person("bob", "viewer")).problem()).isEqualTo("account-refused");
    assertThat(admin.post(PEOPLE, person("key:x", "viewer")).problem()).isEqualTo("invalid-field");
    assertThat(
            admin
                .post(PEOPLE + "/bob/roles", Map.of("reason", "r", "roles", List.of("king")))
                .problem())
        .isEqualTo("invalid-field");
    assertThat(admin.post(PEOPLE + "/nobody/disable", REASON).problem())
        .isEqualTo("account-refused");
    Page key = admin.post("/api/v1/ops/keys", person("shop", "writer"));
    assertThat(key.status()).as(key.response().body()).isEqualTo(200);
    assertThat(admin.get("/api/v1/ops/keys").body().at("/0/owner").asString()).isEqualTo("ann");
    assertThat(admin.post("/api/v1/ops/keys/shop/rotate", REASON).status()).isEqualTo(200);
    Page revoked = admin.post("/api/v1/ops/keys/shop/revoke", REASON);
    assertThat(revoked.body().at("/messages/0/text").asString())
        .isEqualTo("revoked shop: 2 secrets");
    assertThat(
            records.words(
                "select concat_ws(' ', by, verb, reason, details) from audit_entry order by id"))
        .contains(
            "ann add-person asked {\"roles\": [\"operator\"], \"person\": \"bob\"}",
            "ann create-key asked {\"key\": \"shop\", \"roles\": [\"writer\"]}",
            "ann revoke-key asked {\"key\": \"shop\", \"secrets\": 2}");
  }

  private static Map<String, Object> person(String name, String role) {
    return Map.of("reason", "asked", "name", name, "roles", List.of(role));
  }
}

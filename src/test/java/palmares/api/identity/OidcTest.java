package palmares.api.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.platform.time.SettableClock;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Browser;
import palmares.testing.Browser.Page;
import palmares.testing.PalmaresTest;
import palmares.testing.ProxiedServer;
import palmares.testing.Seeds;

/** People of an OpenID Connect provider sign in by its redirects, and get roles by its claims. */
@PalmaresTest
@DirtiesContext
class OidcTest {
  private static final Provider PROVIDER = new Provider();
  private static final String ME = "/api/v1/ops/me";

  @LocalServerPort private int port;

  @DynamicPropertySource
  static void provider(DynamicPropertyRegistry registry) {
    settings().forEach((name, value) -> registry.add(name, () -> value));
  }

  private static Map<String, String> settings() {
    String client = "spring.security.oauth2.client.";
    return Map.of(
        client + "registration.sso.client-id",
        "palmares",
        client + "registration.sso.client-secret",
        "secret",
        client + "registration.sso.scope",
        "openid,profile",
        client + "provider.sso.user-name-attribute",
        "preferred_username",
        client + "provider.sso.issuer-uri",
        PROVIDER.issuer(),
        "palmares.security.oidc.roles-claim",
        "realm_access.roles",
        "palmares.security.oidc.operator",
        "staff-operators",
        "palmares.security.oidc.admin",
        "staff-admins,staff-owners");
  }

  @AfterAll
  static void stop() {
    PROVIDER.close();
  }

  /** Goes to the provider and back, as a browser does. */
  private Page signIn(Browser browser) {
    Page begun = browser.get("/oauth2/authorization/sso");
    assertThat(begun.status()).isEqualTo(302);
    String authorize = location(begun);
    assertThat(authorize)
        .startsWith(PROVIDER.issuer() + "/authorize?")
        .contains("nonce=", "state=");
    String back = location(new Browser(URI.create(authorize).getPort()).get(authorize));
    return browser.get(back);
  }

  private static String location(Page page) {
    return header(page, "Location");
  }

  private static String header(Page page, String name) {
    return page.response().headers().firstValue(name).orElseThrow();
  }

  @Test
  void aPersonGetsTheRolesOfTheClaim() {
    PROVIDER.signIn("ann", "staff-operators", "something-else");
    var browser = new Browser(port);
    Page signedIn = signIn(browser);
    assertThat(signedIn.status()).as(signedIn.response().body()).isEqualTo(302);
    Page me = browser.get(ME);
    assertThat(me.body().path("name").asString()).isEqualTo("ann");
    assertThat(me.body().path("roles").toString())
        .isEqualTo("[\"viewer\",\"operator\",\"reader\"]");
    assertThat(browser.get("/api/v1/ops/people").status()).isEqualTo(403);
    PROVIDER.signIn("bob", "staff-admins");
    var admin = new Browser(port);
    signIn(admin);
    assertThat(admin.get("/api/v1/ops/people").status()).isEqualTo(200);
  }

  @Test
  void aPersonMayComeBackToAnotherServer(
      @Autowired ApplicationContext context, @Autowired SettableClock clock) throws IOException {
    PROVIDER.signIn("ann", "staff-operators");
    String[] settings =
        settings().entrySet().stream().map(each -> "--" + each).toArray(String[]::new);
    try (var another = new ProxiedServer(context, settings)) {
      clock.set(another.application().getBean(Clock.class).instant());
      var here = new Browser(port);
      String authorize = location(here.get("/oauth2/authorization/sso"));
      String back = location(new Browser(URI.create(authorize).getPort()).get(authorize));
      var there = new Browser(another.port());
      there.setCookie("PALMARES", String.valueOf(here.cookie("PALMARES")));
      there.get(back.substring(back.indexOf("/login")));
      assertThat(there.cookie("PALMARES")).isNotEqualTo(here.cookie("PALMARES"));
      assertThat(here.get(ME).status()).as("the session that began the sign-in").isEqualTo(401);
      here.setCookie("PALMARES", String.valueOf(there.cookie("PALMARES")));
      assertThat(here.get(ME).body().path("name").asString()).isEqualTo("ann");
    }
  }

  /** Each attempt begins a session, which PostgreSQL stores. */
  @Test
  void anAddressMayNotBeginSessionsWithoutEnd(
      @Autowired ApplicationContext context, @Autowired JdbcClient jdbc) throws IOException {
    List<String> settings = new ArrayList<>();
    settings().forEach((name, value) -> settings.add("--%s=%s".formatted(name, value)));
    settings.add("--palmares.limits.sign-ins-per-address=1");
    try (var another = new ProxiedServer(context, settings.toArray(String[]::new))) {
      assertThat(new Browser(another.port()).get("/oauth2/authorization/sso").status())
          .isEqualTo(302);
      long before = jdbc.sql("select count(*) from spring_session").query(Long.class).single();
      for (String spelling : List.of("sso", "%73so", "unknown")) {
        Page refused = new Browser(another.port()).get("/oauth2/authorization/" + spelling);
        assertThat(refused.status()).as(spelling).isEqualTo(429);
        assertThat(refused.problem()).isEqualTo("too-many-requests");
        assertThat(refused.response().headers().firstValue("Retry-After")).isPresent();
      }
      assertThat(jdbc.sql("select count(*) from spring_session").query(Long.class).single())
          .isEqualTo(before);
    }
  }

  @Test
  void whatWasTypedStaysOnThePageUntilThePersonIsBackFromTheProvider() {
    PROVIDER.signIn("ann", "staff-operators");
    var browser = new Browser(port);
    String form = "/console/verbs/exclude";
    Page asked =
        browser.form(form, Map.of("member", "mallory", "reason", "50 % of likes", "key", "k"));
    assertThat(asked.status()).isEqualTo(401);
    String page = asked.response().body();
    assertThat(page)
        .contains("name=\"typed.reason\" value=\"50 % of likes\"")
        .contains("target=\"_blank\"", "Continue with what I typed");
    var kept = new LinkedHashMap<String, String>();
    kept.put("next", form);
    kept.put("typed.member", "mallory");
    kept.put("typed.reason", "50 % of likes");
    String tooEarly = "You are not signed in yet. Finish in the other tab, then continue here.";
    assertThat(page).doesNotContain(tooEarly);
    Page early = browser.form("/console/sign-in", kept);
    assertThat(early.status()).as("before the person has signed in").isEqualTo(401);
    assertThat(early.response().body()).contains(tooEarly, "value=\"50 % of likes\"");
    var inChinese = new LinkedHashMap<>(kept);
    inChinese.put("lang", "zh");
    assertThat(browser.form("/console/sign-in", inChinese).response().body())
        .contains("继续填写", "value=\"50 % of likes\"");
    assertThat(browser.form("/console/sign-in", kept).response().body()).contains("您尚未登录");

    signIn(browser);
    browser.get("/console");
    Page back = browser.form("/console/sign-in", kept);
    assertThat(back.status()).isEqualTo(302);
    assertThat(location(back)).endsWith(form + "?kept");
    assertThat(browser.get(form + "?kept").response().body())
        .contains("value=\"50 % of likes\"", "mallory");
  }

  @Test
  void theSessionsOfAPersonWhoLeavesEndAtOnceOnEveryServer(
      @Autowired People people, @Autowired SettableClock clock) {
    PROVIDER.signIn("Eve", "staff-operators");
    var browser = new Browser(port);
    signIn(browser);
    assertThat(browser.get(ME).status()).isEqualTo(200);
    people.endSessions("eve", "ann", "left");
    assertThat(browser.get(ME).status()).isEqualTo(401);
    clock.advance(Duration.ofSeconds(1));
    var later = new Browser(port);
    signIn(later);
    assertThat(later.get(ME).status()).as("the provider still signs her in").isEqualTo(200);
  }

  /** Else the next person at the machine would be signed in as the one before. */
  @Test
  void whoSignsOutInTheConsoleIsSignedOutAtTheProviderToo() {
    PROVIDER.signIn("ann", "staff-operators");
    var browser = new Browser(port);
    signIn(browser);
    assertThat(header(browser.get("/console"), "Content-Security-Policy"))
        .as("browsers apply it to where a form is redirected to")
        .contains("form-action 'self' " + PROVIDER.issuer() + ";");
    Page signedOut = browser.form("/console/sign-out", Map.of());
    assertThat(signedOut.status()).isEqualTo(302);
    assertThat(location(signedOut))
        .startsWith(PROVIDER.issuer() + "/logout?id_token_hint=ey")
        .endsWith("&" + clientAndReturn());
    assertThat(browser.get(ME).status()).isEqualTo(401);
    Page again = browser.form("/console/sign-out", Map.of());
    assertThat(location(again))
        .as("the session has ended, and that of the provider perhaps not")
        .isEqualTo(PROVIDER.issuer() + "/logout?" + clientAndReturn());
  }

  private String clientAndReturn() {
    return "client_id=palmares&post_logout_redirect_uri=http://127.0.0.1:%d/console/sign-in"
        .formatted(port);
  }

  /** Tomcat answers 500 if the headers of an answer are longer than 8 KiB. */
  @Test
  void aLongTokenIsNotInTheAddressAtWhichAPersonSignsOut() {
    String[] groups =
        IntStream.range(0, 400).mapToObj("staff-group-%d"::formatted).toArray(String[]::new);
    groups[0] = "staff-operators";
    PROVIDER.signIn("ann", groups);
    var browser = new Browser(port);
    signIn(browser);
    assertThat(browser.get(ME).status()).isEqualTo(200);
    Page signedOut = browser.form("/console/sign-out", Map.of());
    assertThat(signedOut.status()).isEqualTo(302);
    assertThat(location(signedOut)).isEqualTo(PROVIDER.issuer() + "/logout?" + clientAndReturn());
    assertThat(browser.get(ME).status()).isEqualTo(401);
  }

  @Test
  void aProgramThatSignsOutIsNotLedToTheProvider(@Autowired ApiKeys keys) {
    String key = Api.ownKey(keys, "ann-cli", "ann", Role.READER);
    Answer answer = new Api(port, key).send("POST", "/../../console/sign-out");
    assertThat(answer.header("Location")).endsWith("/console/sign-in");
  }

  @Test
  void whoHasNoRoleIsNotSignedIn() {
    PROVIDER.signIn("cid", "something-else");
    var browser = new Browser(port);
    Page refused = signIn(browser);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.response().body()).contains("palmares.security.oidc names");
    assertThat(browser.get(ME).status()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "key:shop",
        "local:ann",
        "the board's rules",
        "",
        "ann\u00a0",
        "a\u200bnn",
        "\uff41nn",
        "\u0430nn", // Cyrillic and Latin
        "\u0441\u043e\u0440", // Cyrillic letters that look like 'cop'
        "\u03bf\u03c1" // Greek
      })
  void namesThatOthersActByAreRefused(String name) {
    PROVIDER.signIn(name, "staff-operators");
    var browser = new Browser(port);
    assertThat(signIn(browser).status()).isIn(401, 403);
    assertThat(browser.get(ME).status()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u738b\u5c0f\u660e", "ann\u738b", "\u3042\u30a2\u4e9c", "Zo\u00eb", "7"})
  void namesOfOneScriptAreAccepted(String name) {
    PROVIDER.signIn(name, "staff-operators");
    var browser = new Browser(port);
    signIn(browser);
    assertThat(browser.get(ME).body().path("name").asString()).isEqualTo(name);
  }

  /** As Keycloak comes. */
  @Test
  void rolesAreReadFromTheAccessTokenIfTheIdTokenHasNone() {
    Map<String, Object> ann = Map.of("preferred_username", "ann");
    Map<String, Object> roles =
        Map.of("realm_access", Map.of("roles", List.of("offline_access", "staff-operators")));
    PROVIDER.signIn("ann");
    PROVIDER.claim(ann, roles);
    var browser = new Browser(port);
    assertThat(signIn(browser).status()).isEqualTo(302);
    assertThat(browser.get(ME).body().path("roles").toString()).contains("operator");
    for (Map<String, Object> other :
        List.<Map<String, Object>>of(
            Map.of("sub", "another", "realm_access", Map.of("roles", List.of("staff-admins"))),
            Map.of("iss", "https://a.example", "realm_access", roles.get("realm_access")),
            Map.of("resource_access", Map.of()))) {
      PROVIDER.claim(ann, other);
      Page refused = signIn(new Browser(port));
      assertThat(refused.status()).as(other.toString()).isEqualTo(403);
      assertThat(refused.response().body())
          .contains("here is no claim &#39;realm_access.roles&#39;", "preferred_username");
    }
  }

  @Test
  void aPersonWithoutANameReadsWhichClaimsThereAre() {
    PROVIDER.signIn("ann");
    for (Map<String, Object> claims :
        List.<Map<String, Object>>of(
            Map.of("email", "ann@example.com"),
            Map.of("email", "ann@example.com", "preferred_username", List.of("ann")))) {
      PROVIDER.claim(claims, Map.of());
      Page refused = signIn(new Browser(port));
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.response().body())
          .contains("here is no claim &#39;preferred_username&#39;", "aud, email, exp");
    }
  }

  @Test
  void aProviderThatIsNotConfiguredIsNotFound() {
    for (String path : List.of("/oauth2/authorization/other", "/oauth2/authorization/a/b")) {
      Page answer = new Browser(port).get(path);
      assertThat(answer.status()).as(path).isIn(401, 404);
      assertThat(answer.problem()).as(path).isIn("not-found", "unauthorized");
    }
    Page back = new Browser(port).get("/login/oauth2/code/other?code=a&state=b");
    assertThat(back.status()).isEqualTo(401);
  }

  @Test
  void aClaimOfTheExactNameIsReadBeforeAPathOfNames() {
    String claim = "https://palmares.example.com/roles";
    assertThat(roles(claim, Map.of(claim, List.of("staff-operators")))).contains(Role.OPERATOR);
    assertThat(roles("a.b", Map.of("a.b", "staff-operators", "a", Map.of("b", "x"))))
        .contains(Role.OPERATOR);
    assertThat(roles("a.b", Map.of("a", Map.of("b", "staff-operators")))).contains(Role.OPERATOR);
  }

  /** Without issuer-uri, such as to start while the provider is away. */
  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void anIssuerThatNobodyChecksIsSaidAndCanBeSet(CapturedOutput log) {
    var settings = oidc("roles", null);
    new OidcRoles(settings).requireIssuer(client());
    assertThat(log).contains("the issuer of ID tokens is not checked");
    var checked = new OidcRoles(oidc("roles", "https://sso.example"));
    checked.requireIssuer(client());
    assertThat(log.toString().split("is not checked")).hasSize(2);
    Map<String, Object> claims = Map.of("roles", "staff-operators");
    assertThatThrownBy(() -> checked.loadUser(request("https://other.example", claims)))
        .hasMessageContaining("'https://other.example', not 'https://sso.example'");
    assertThat(checked.loadUser(request("https://sso.example", claims)).getName()).isEqualTo("ann");
  }

  private static SecuritySettings oidc(String claim, @Nullable String issuer) {
    var oidc =
        new SecuritySettings.Oidc(
            claim,
            issuer,
            List.of(Character.UnicodeScript.LATIN),
            List.of(),
            List.of("staff-operators"),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    return new SecuritySettings(
        SecuritySettings.Management.ROLES,
        List.of(),
        new SecuritySettings.Lockout(5, Duration.ofMinutes(15)),
        oidc);
  }

  private static Set<Role> roles(String claim, Map<String, Object> claims) {
    var user = new OidcRoles(oidc(claim, null)).loadUser(request("https://sso.example", claims));
    return Arrays.stream(Role.values())
        .filter(role -> user.getAuthorities().toString().contains(Caller.authority(role)))
        .collect(Collectors.toSet());
  }

  private static ClientRegistration client() {
    return ClientRegistration.withRegistrationId("sso")
        .clientId("palmares")
        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
        .redirectUri("{baseUrl}/login/oauth2/code/sso")
        .authorizationUri(PROVIDER.issuer() + "/authorize")
        .tokenUri(PROVIDER.issuer() + "/token")
        .jwkSetUri(PROVIDER.issuer() + "/jwks")
        .build();
  }

  private static OidcUserRequest request(String issuer, Map<String, Object> claims) {
    Instant now = Instant.now();
    var all = new HashMap<>(claims);
    all.put("iss", issuer);
    all.put("sub", "ann");
    return new OidcUserRequest(
        client(),
        new OAuth2AccessToken(
            OAuth2AccessToken.TokenType.BEARER, "opaque", now, now.plusSeconds(60)),
        new OidcIdToken("token", now, now.plusSeconds(60), all));
  }

  @Test
  void aForgedTokenSignsNobodyIn() {
    PROVIDER.signIn("ann", "staff-operators");
    PROVIDER.forge();
    var browser = new Browser(port);
    assertThat(signIn(browser).status()).isEqualTo(401);
    assertThat(browser.get(ME).status()).isEqualTo(401);
  }

  /** The signature covers what counts; the rest may be read as if it had not been changed. */
  @ParameterizedTest
  @MethodSource("garbled")
  void anAnswerOfTheProviderThatIsGarbledIsNoErrorOfTheServer(long seed) {
    PROVIDER.signIn("ann", "staff-operators");
    PROVIDER.garble(seed);
    var browser = new Browser(port);
    int status = signIn(browser).status();
    assertThat(status).as("seed %d", seed).isIn(200, 302, 400, 401, 403, 503);
    assertThat(browser.get(ME).status()).as("seed %d", seed).isEqualTo(status < 400 ? 200 : 401);
  }

  static LongStream garbled() {
    return Seeds.from1To(8);
  }

  @Test
  void passwordsAreNotUsedAndNobodyIsAdded(@Autowired People people, @Autowired JdbcClient jdbc) {
    jdbc.sql("delete from person").update();
    assertThat(new Browser(port).signIn("admin", "anything").status()).isEqualTo(403);
    assertThat(people.addFirst()).isEmpty();
  }
}

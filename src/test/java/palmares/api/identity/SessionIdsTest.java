package palmares.api.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.session.web.http.CookieHttpSessionIdResolver;
import org.springframework.transaction.CannotCreateTransactionException;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.time.SettableClock;
import palmares.testing.Switch;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Who guesses cookies of sessions costs PostgreSQL few queries, and shuts nobody out. */
@WorldTest
class SessionIdsTest {
  private static final String HERE = "192.0.2.1";
  private static final String ELSEWHERE = "192.0.2.2";
  private static final int MAX = 20;

  @Autowired private DataSource postgres;
  @Autowired private World world;
  @Autowired private SettableClock clock;
  @Autowired private JdbcClient jdbc;
  private Switch server;
  private Filter filter;

  @BeforeEach
  void begin() {
    server = new Switch(postgres);
    filter = anotherServer();
  }

  private Filter anotherServer() {
    var ids = new SessionIds(new CookieHttpSessionIdResolver(), clock, MAX);
    return StoredSessions.filter(server, clock, Duration.ofMinutes(30), ids);
  }

  /** Returns the secret of a new session. */
  private static String stored(Filter filter) {
    var response = new MockHttpServletResponse();
    pass(filter, new MockHttpServletRequest(), response, HttpServletRequest::getSession);
    String cookie = Objects.requireNonNull(response.getCookie("SESSION")).getValue();
    return new String(Base64.getDecoder().decode(cookie), UTF_8);
  }

  private static void pass(
      Filter filter,
      HttpServletRequest request,
      HttpServletResponse response,
      Consumer<HttpServletRequest> action) {
    try {
      filter.doFilter(
          request, response, (wrapped, same) -> action.accept((HttpServletRequest) wrapped));
    } catch (IOException | ServletException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether a request with this secret has a session. */
  private boolean hasSession(String secret, String address) {
    var seen = new AtomicBoolean();
    pass(
        filter,
        request(secret, address),
        new MockHttpServletResponse(),
        request -> seen.set(request.getSession(false) != null));
    return seen.get();
  }

  private static HttpServletRequest request(String secret, String address) {
    var request = new MockHttpServletRequest();
    request.setRemoteAddr(address);
    request.setCookies(
        new Cookie("SESSION", Base64.getEncoder().encodeToString(secret.getBytes(UTF_8))));
    return request;
  }

  private void guess(int count, String address) {
    for (int i = 0; i < count; i++) {
      assertThat(hasSession("guess " + i + address, address)).isFalse();
    }
  }

  private void assertRefused(String id, String address) {
    assertThatThrownBy(() -> hasSession(id, address))
        .isInstanceOfSatisfying(
            Refusal.class,
            refused -> assertThat(refused.problem()).isEqualTo(Problem.TOO_MANY_REQUESTS));
  }

  private void exhaust(String address) {
    guess(MAX + InvalidSecrets.RESERVED_LOOKUPS, address);
  }

  @Test
  void anAddressThatGuessesCostsFewQueriesUntilTheWindowEnds() {
    int before = server.visits();
    exhaust(HERE);
    for (int i = 0; i < 1_000; i++) {
      assertRefused("another guess " + i, HERE);
    }
    assertThat(server.visits() - before).isEqualTo(MAX + InvalidSecrets.RESERVED_LOOKUPS);
    exhaust(ELSEWHERE);
    world.pass(InvalidSecrets.COUNTING_PERIOD);
    assertThat(hasSession("one more", HERE)).isFalse();
    assertThat(server.visits() - before).isEqualTo(2 * (MAX + InvalidSecrets.RESERVED_LOOKUPS) + 1);
  }

  /** As behind a proxy, after a restart: everybody has one address, and no session is known. */
  @Test
  void aSessionThatThisProcessHasNotSeenIsFoundWhileOthersOfItsAddressGuess() {
    String unseen = stored(anotherServer());
    exhaust(HERE);
    assertRefused(unseen, HERE);
    world.pass(InvalidSecrets.RESERVED_LOOKUP_INTERVAL);
    assertThat(hasSession("two guesses", HERE)).isFalse();
    assertThat(hasSession("a second", HERE)).isFalse();
    assertThat(hasSession(unseen, HERE)).isTrue();
  }

  @Test
  void sessionsThatThisVersionCannotReadAreNoGuesses() {
    for (int i = 0; i < 2 * MAX; i++) {
      String id = stored(filter);
      jdbc.sql("update spring_session_attributes set attribute_bytes = 'unreadable'").update();
      int before = server.visits();
      assertThat(hasSession(id, HERE)).isFalse();
      assertThat(hasSession(id, HERE)).isFalse();
      assertThat(server.visits() - before).isBetween(0, 1);
    }
    exhaust(HERE);
  }

  @Test
  void anIdThatDoesNotExistIsLookedUpOnceAMinute() {
    int before = server.visits();
    for (int i = 0; i < 100; i++) {
      assertThat(hasSession("gone", HERE)).isFalse();
    }
    assertThat(server.visits() - before).isEqualTo(1);
    world.pass(Duration.ofMinutes(1));
    assertThat(hasSession("gone", HERE)).isFalse();
    assertThat(server.visits() - before).isEqualTo(2);
  }

  @Test
  void aPersonOfTheSameAddressStaysSignedIn() {
    String made = stored(filter);
    String ofAnotherServer = stored(anotherServer());
    assertThat(hasSession(ofAnotherServer, HERE)).isTrue();
    exhaust(HERE);
    assertRefused("another guess", HERE);
    assertThat(hasSession(made, HERE)).as("made here").isTrue();
    assertThat(hasSession(ofAnotherServer, HERE)).as("seen here").isTrue();
  }

  /** Sessions that other servers have made are no guesses. */
  @Test
  void sessionsThatExistAreNotCounted() {
    Filter another = anotherServer();
    for (int i = 0; i < 2 * MAX; i++) {
      assertThat(hasSession(stored(another), HERE)).isTrue();
    }
    exhaust(HERE);
    assertRefused("another guess", HERE);
  }

  @Test
  void aSessionThatHasEndedIsAWrongOne() {
    String ended = stored(filter);
    pass(
        filter,
        request(ended, HERE),
        new MockHttpServletResponse(),
        request -> request.getSession().invalidate());
    int before = server.visits();
    assertThat(hasSession(ended, HERE)).isFalse();
    assertThat(hasSession(ended, HERE)).isFalse();
    assertThat(server.visits() - before).isEqualTo(1);
  }

  @Test
  void anOutageIsNoWrongGuess() {
    String made = stored(filter);
    server.off();
    assertThatThrownBy(() -> hasSession(made, HERE))
        .isInstanceOf(CannotCreateTransactionException.class);
    server.on();
    assertThat(hasSession(made, HERE)).isTrue();
  }
}

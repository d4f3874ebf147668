package palmares.api.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.session.MapSession;
import org.springframework.session.web.http.CookieHttpSessionIdResolver;
import org.springframework.session.web.http.SessionRepositoryFilter;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Sha256;
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
  private SessionIds ids;
  private StoredSessions sessions;
  private SessionRepositoryFilter<MapSession> filter;

  @BeforeEach
  void begin() {
    server = new Switch(postgres);
    ids = new SessionIds(new CookieHttpSessionIdResolver(), clock, MAX);
    sessions = sessions(ids);
    filter = filter(sessions, ids);
  }

  private StoredSessions sessions(SessionIds ids) {
    return new StoredSessions(JdbcClient.create(server), clock, Duration.ofMinutes(30), ids);
  }

  private static SessionRepositoryFilter<MapSession> filter(
      StoredSessions sessions, SessionIds ids) {
    var filter = new SessionRepositoryFilter<>(sessions);
    filter.setHttpSessionIdResolver(ids);
    return filter;
  }

  private String stored() {
    MapSession session = sessions.createSession();
    sessions.save(session);
    return session.getId();
  }

  /** Whether a request with this cookie has a session. */
  private boolean hasSession(String id, String address) {
    var request = new MockHttpServletRequest();
    request.setRemoteAddr(address);
    request.setCookies(
        new Cookie("SESSION", Base64.getEncoder().encodeToString(id.getBytes(UTF_8))));
    var seen = new AtomicReference<@Nullable Boolean>();
    try {
      filter.doFilter(
          request,
          new MockHttpServletResponse(),
          (wrapped, response) ->
              seen.set(((HttpServletRequest) wrapped).getSession(false) != null));
    } catch (IOException | ServletException e) {
      throw new AssertionError(e);
    }
    return Boolean.TRUE.equals(seen.get());
  }

  private void guess(int count, String address) {
    for (int i = 0; i < count; i++) {
      assertThat(hasSession("guess " + i + address, address)).isFalse();
    }
  }

  private void assertRefused(String id, String address) {
    assertThatThrownBy(() -> hasSession(id, address))
        .isInstanceOfSatisfying(
            ProblemException.class,
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
    sessions = sessions(new SessionIds(new CookieHttpSessionIdResolver(), clock, MAX));
    String unseen = stored();
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
      String id = stored();
      jdbc.sql("update session set attributes = 'unreadable' where hash = ?")
          .param(Sha256.of(id))
          .update();
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
    String made = stored();
    var another = new SessionIds(new CookieHttpSessionIdResolver(), clock, MAX);
    sessions = sessions(another);
    String ofAnotherServer = stored();
    assertThat(hasSession(ofAnotherServer, HERE)).isTrue();
    exhaust(HERE);
    assertRefused("another guess", HERE);
    assertThat(hasSession(made, HERE)).as("made here").isTrue();
    assertThat(hasSession(ofAnotherServer, HERE)).as("seen here").isTrue();
  }

  /** Sessions that other servers have made are no guesses. */
  @Test
  void sessionsThatExistAreNotCounted() {
    sessions = sessions(new SessionIds(new CookieHttpSessionIdResolver(), clock, MAX));
    for (int i = 0; i < 2 * MAX; i++) {
      assertThat(hasSession(stored(), HERE)).isTrue();
    }
    exhaust(HERE);
    assertRefused("another guess", HERE);
  }

  @Test
  void aSessionThatHasEndedIsAWrongOne() {
    String ended = stored();
    sessions.deleteById(ended);
    int before = server.visits();
    assertThat(hasSession(ended, HERE)).isFalse();
    assertThat(hasSession(ended, HERE)).isFalse();
    assertThat(server.visits() - before).isEqualTo(1);
  }

  @Test
  void anOutageIsNoWrongGuess() {
    String made = stored();
    server.off();
    assertThatThrownBy(() -> hasSession(made, HERE)).isInstanceOf(DataAccessException.class);
    server.on();
    assertThat(hasSession(made, HERE)).isTrue();
  }
}

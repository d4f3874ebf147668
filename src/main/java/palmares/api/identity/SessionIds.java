package palmares.api.identity;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.session.SessionIdGenerator;
import org.springframework.session.web.http.HttpSessionIdResolver;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.threads.RecentlyUsed;
import palmares.rules.board.Sha256;

/**
 * Makes the ids of sessions, and reads them from requests. An id is the SHA-256 of the secret in
 * the cookie, so that who reads the database, a log or a dump cannot use a session.
 *
 * <p>An id that does not exist is not looked up again for a minute, and few such ids are looked up
 * for each address. Others of an address that guesses go on: an id that this process has seen is
 * always looked up, and a few others are each second.
 */
final class SessionIds implements SessionIdGenerator, HttpSessionIdResolver {
  private static final Duration WRONG_ID_TTL = Duration.ofMinutes(1);
  private static final int MAX_ENTRIES = 10_000;

  private final HttpSessionIdResolver cookies;
  private final InvalidSecrets wrong;
  private final int max;
  private final Map<String, Boolean> known = RecentlyUsed.map(MAX_ENTRIES);
  private final Map<String, String> addresses = RecentlyUsed.map(MAX_ENTRIES);

  /** The secrets of new ids, until their cookies are set. */
  private final Map<String, String> secrets = RecentlyUsed.map(MAX_ENTRIES);

  /**
   * @param max how many ids that do not exist are looked up for each address in ten seconds
   */
  SessionIds(HttpSessionIdResolver cookies, Clock clock, int max) {
    this.cookies = cookies;
    this.wrong = new InvalidSecrets(clock, WRONG_ID_TTL, max);
    this.max = max;
  }

  @Override
  public String generate() {
    String secret = Secrets.text();
    String id = Sha256.of(secret);
    secrets.put(id, secret);
    return id;
  }

  /**
   * Returns the ids that may exist.
   *
   * @throws Refusal if the address has sent too many that do not
   */
  @Override
  public List<String> resolveSessionIds(HttpServletRequest request) {
    return cookies.resolveSessionIds(request).stream()
        .map(Sha256::of)
        .filter(id -> mayExist(id, request.getRemoteAddr()))
        .toList();
  }

  private boolean mayExist(String id, String address) {
    if (known.containsKey(id)) {
      return true;
    }
    if (wrong.isWrong(id)) {
      return false;
    }
    if (wrong.areTooMany(address) && !wrong.takeReservedLookup(address)) {
      throw new Refusal(
              Problem.TOO_MANY_REQUESTS,
              new AccessSentences.TooManyWrongCookies(
                  max, InvalidSecrets.COUNTING_PERIOD.toSeconds()))
          .after(InvalidSecrets.RESERVED_LOOKUP_INTERVAL);
    }
    addresses.put(id, address);
    return true;
  }

  /** A session with this id exists. */
  void found(String id) {
    known.put(id, true);
    addresses.remove(id);
  }

  /** No session has this id, or not any more. */
  void missing(String id) {
    known.remove(id);
    String address = addresses.remove(id);
    wrong.add(id, address == null ? "" : address);
  }

  /**
   * A session with this id exists, but this process cannot read it, such as one of another version.
   * It is not looked up again for a minute either, and is no guess.
   */
  void unreadable(String id) {
    known.remove(id);
    addresses.remove(id);
    wrong.add(id);
  }

  /** Sets the cookie of a new id; the browser has the others. */
  @Override
  public void setSessionId(HttpServletRequest request, HttpServletResponse response, String id) {
    String secret = secrets.remove(id);
    if (secret != null) {
      cookies.setSessionId(request, response, secret);
    }
  }

  @Override
  public void expireSession(HttpServletRequest request, HttpServletResponse response) {
    cookies.expireSession(request, response);
  }
}

package palmares.api.identity;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.session.web.http.HttpSessionIdResolver;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.platform.threads.RecentlyUsed;
import palmares.rules.board.Sha256;

/**
 * Reads the ids of sessions from requests. An id that does not exist is not looked up again for a
 * minute, and few such ids are looked up for each address. Others of an address that guesses go on:
 * an id that this process has seen is always looked up, and a few others are each second.
 */
final class SessionIds implements HttpSessionIdResolver {
  private static final Duration WRONG_ID_TTL = Duration.ofMinutes(1);
  private static final int MAX_ENTRIES = 10_000;

  private final HttpSessionIdResolver cookies;
  private final InvalidSecrets wrong;
  private final int max;
  private final Map<String, Boolean> known = RecentlyUsed.map(MAX_ENTRIES);
  private final Map<String, String> addresses = RecentlyUsed.map(MAX_ENTRIES);

  /**
   * @param max how many ids that do not exist are looked up for each address in ten seconds
   */
  SessionIds(HttpSessionIdResolver cookies, Clock clock, int max) {
    this.cookies = cookies;
    this.wrong = new InvalidSecrets(clock, WRONG_ID_TTL, max);
    this.max = max;
  }

  /**
   * Returns the ids that may exist.
   *
   * @throws ProblemException if the address has sent too many that do not
   */
  @Override
  public List<String> resolveSessionIds(HttpServletRequest request) {
    return cookies.resolveSessionIds(request).stream()
        .filter(id -> mayExist(Sha256.of(id), request.getRemoteAddr()))
        .toList();
  }

  private boolean mayExist(String hash, String address) {
    if (known.containsKey(hash)) {
      return true;
    }
    if (wrong.isWrong(hash)) {
      return false;
    }
    if (wrong.areTooMany(address) && !wrong.takeReservedLookup(address)) {
      throw new ProblemException(
          Problem.TOO_MANY_REQUESTS,
          new AccessSentences.TooManyWrongCookies(max, InvalidSecrets.COUNTING_PERIOD.toSeconds()),
          InvalidSecrets.RESERVED_LOOKUP_INTERVAL);
    }
    addresses.put(hash, address);
    return true;
  }

  /** A session with this hash of its id exists. */
  void found(String hash) {
    known.put(hash, true);
    addresses.remove(hash);
  }

  /** No session has this hash, or not any more. */
  void missing(String hash) {
    known.remove(hash);
    String address = addresses.remove(hash);
    wrong.add(hash, address == null ? "" : address);
  }

  /**
   * A session with this hash exists, but this process cannot read it, such as one of another
   * version. It is not looked up again for a minute either, and is no guess.
   */
  void unreadable(String hash) {
    known.remove(hash);
    addresses.remove(hash);
    wrong.add(hash);
  }

  @Override
  public void setSessionId(
      HttpServletRequest request, HttpServletResponse response, String sessionId) {
    cookies.setSessionId(request, response, sessionId);
  }

  @Override
  public void expireSession(HttpServletRequest request, HttpServletResponse response) {
    cookies.expireSession(request, response);
  }
}

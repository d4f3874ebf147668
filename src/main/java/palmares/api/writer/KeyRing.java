package palmares.api.writer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;

/**
 * Finds the key that a request carries. Keeps known keys for half a minute, so that events need no
 * query, and a revoked key stops soon; and for as long as PostgreSQL does not answer, since nobody
 * can revoke a key then. Keeps wrong keys for five seconds, and looks up few of them for each
 * address, so that guessing costs PostgreSQL little and known keys nothing.
 */
@Component
class KeyRing {
  private static final Duration FRESH = Duration.ofSeconds(30);
  private static final Duration WRONG_KEY_DURATION = Duration.ofSeconds(5);
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final int MAX_WRONG_KEYS_PER_WINDOW = 20;
  private static final int MOST_KNOWN = 10_000;
  private static final String SCHEME = "Bearer ";

  private final ApiKeys keys;
  private final Clock clock;
  private final Map<String, Seen> known = new ConcurrentHashMap<>();
  private final Map<String, Instant> wrong = new ConcurrentHashMap<>();
  private final Map<String, Guesses> guesses = new ConcurrentHashMap<>();

  KeyRing(ApiKeys keys, Clock clock) {
    this.keys = keys;
    this.clock = clock;
  }

  private record Seen(ApiKey key, Instant at) {
    boolean isFresh(Instant now) {
      return isWithin(FRESH, at, now);
    }
  }

  /** How many wrong keys an address has sent since a window began. */
  private record Guesses(Instant since, int wrong) {}

  /** Either way: the clock may be set back. */
  private static boolean isWithin(Duration duration, Instant time, Instant now) {
    return Duration.between(time, now).abs().compareTo(duration) < 0;
  }

  /**
   * @param authorization the request's header of that name; null if it has none
   * @param address the caller's
   * @throws ProblemException if it carries no key in use, or its address sent too many wrong ones
   */
  ApiKey require(@Nullable String authorization, String address) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw unauthorized(
          "writing needs an API key: send 'Authorization: Bearer KEY';"
              + " 'palmares api-keys create' makes one");
    }
    String hash = ApiKeys.hash(authorization.substring(SCHEME.length()).strip());
    Seen seen = known.get(hash);
    Instant now = clock.instant();
    // One looks; all others go on with what is known, so that a silent PostgreSQL holds up nobody.
    return seen != null
            && (seen.isFresh(now) || !known.replace(hash, seen, new Seen(seen.key(), now)))
        ? seen.key()
        : seen != null
            ? look(hash, seen).orElseThrow(KeyRing::wrongKey)
            : guess(hash, address, now);
  }

  /** A key that is not known yet. */
  private ApiKey guess(String hash, String address, Instant now) {
    Instant refused = wrong.get(hash);
    if (refused != null && isWithin(WRONG_KEY_DURATION, refused, now)) {
      throw wrongKey();
    }
    Guesses before = guesses.get(address);
    if (before != null
        && before.wrong() >= MAX_WRONG_KEYS_PER_WINDOW
        && isWithin(WINDOW, before.since(), now)) {
      throw new ProblemException(
          Problem.TOO_MANY_REQUESTS,
          "your address sent %d wrong API keys within %d s: other new keys are refused too"
              .formatted(MAX_WRONG_KEYS_PER_WINDOW, WINDOW.toSeconds()));
    }
    return look(hash, null)
        .orElseThrow(
            () -> {
              bound(wrong).put(hash, now);
              bound(guesses)
                  .merge(
                      address,
                      new Guesses(now, 1),
                      (old, one) ->
                          isWithin(WINDOW, old.since(), now)
                              ? new Guesses(old.since(), old.wrong() + 1)
                              : one);
              return wrongKey();
            });
  }

  private static <T> Map<String, T> bound(Map<String, T> map) {
    if (map.size() >= MOST_KNOWN) {
      map.clear();
    }
    return map;
  }

  private Optional<ApiKey> look(String hash, @Nullable Seen seen) {
    Optional<ApiKey> found;
    try {
      found = keys.withHash(hash).stream().findFirst();
    } catch (DataAccessException e) {
      if (seen == null) {
        throw e;
      }
      return Optional.of(seen.key());
    }
    known.remove(hash);
    found.ifPresent(key -> bound(known).put(hash, new Seen(key, clock.instant())));
    return found;
  }

  private static ProblemException wrongKey() {
    return unauthorized("there is no such API key, or it was revoked");
  }

  private static ProblemException unauthorized(String detail) {
    return new ProblemException(Problem.UNAUTHORIZED, detail);
  }
}

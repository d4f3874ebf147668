package palmares.api.keys;

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
 * Checks the API key of a request.
 *
 * <p>Valid keys are cached for 30 seconds, so that events need no query and a revoked key stops
 * working soon. While PostgreSQL does not answer, cached keys stay valid, as nobody can revoke
 * them. Wrong keys are cached for 5 seconds, and few are looked up for each address, so that
 * guessing costs PostgreSQL little.
 */
@Component
public class ApiKeyCheck {
  private static final Duration VALID_KEY_TTL = Duration.ofSeconds(30);
  private static final Duration WRONG_KEY_TTL = Duration.ofSeconds(5);
  private static final Duration WRONG_KEY_WINDOW = Duration.ofSeconds(10);
  private static final int MAX_WRONG_KEYS_PER_WINDOW = 20;
  private static final int MAX_CACHE_ENTRIES = 10_000;
  private static final String SCHEME = "Bearer ";

  private final ApiKeys keys;
  private final Clock clock;
  private final Map<String, CachedKey> validKeys = new ConcurrentHashMap<>();
  private final Map<String, Instant> wrongKeys = new ConcurrentHashMap<>();
  private final Map<String, WrongKeyCount> wrongKeyCounts = new ConcurrentHashMap<>();

  ApiKeyCheck(ApiKeys keys, Clock clock) {
    this.keys = keys;
    this.clock = clock;
  }

  private record CachedKey(ApiKey key, Instant at) {}

  /** How many wrong keys an address has sent since the start of a window. */
  private record WrongKeyCount(Instant since, int count) {}

  /** Compares the absolute difference, as the clock may be set back. */
  private static boolean isWithin(Duration duration, Instant time, Instant now) {
    return Duration.between(time, now).abs().compareTo(duration) < 0;
  }

  /**
   * Returns the API key of a request.
   *
   * @param authorization the header of that name; null if there is none
   * @param address the client's address
   * @throws ProblemException if there is no valid key, or the address sent too many wrong ones
   */
  public ApiKey require(@Nullable String authorization, String address) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw unauthorized(
          "writing needs an API key: send 'Authorization: Bearer KEY';"
              + " 'palmares api-keys create' creates one");
    }
    String hash = ApiKeys.hash(authorization.substring(SCHEME.length()).strip());
    Instant now = clock.instant();
    CachedKey cached = validKeys.get(hash);
    if (cached == null) {
      return lookUpUncached(hash, address, now);
    }
    // Only one thread reads an expired entry again, so that a PostgreSQL without answer blocks one.
    if (isWithin(VALID_KEY_TTL, cached.at(), now)
        || !validKeys.replace(hash, cached, new CachedKey(cached.key(), now))) {
      return cached.key();
    }
    return lookUp(hash, cached).orElseThrow(ApiKeyCheck::wrongKey);
  }

  private ApiKey lookUpUncached(String hash, String address, Instant now) {
    Instant refused = wrongKeys.get(hash);
    if (refused != null && isWithin(WRONG_KEY_TTL, refused, now)) {
      throw wrongKey();
    }
    WrongKeyCount before = wrongKeyCounts.get(address);
    if (before != null
        && before.count() >= MAX_WRONG_KEYS_PER_WINDOW
        && isWithin(WRONG_KEY_WINDOW, before.since(), now)) {
      throw new ProblemException(
          Problem.TOO_MANY_REQUESTS,
          "your address sent %d wrong API keys within %d s: try other keys later"
              .formatted(MAX_WRONG_KEYS_PER_WINDOW, WRONG_KEY_WINDOW.toSeconds()));
    }
    Optional<ApiKey> found = lookUp(hash, null);
    if (found.isEmpty()) {
      bounded(wrongKeys).put(hash, now);
      bounded(wrongKeyCounts)
          .merge(
              address,
              new WrongKeyCount(now, 1),
              (old, first) ->
                  isWithin(WRONG_KEY_WINDOW, old.since(), now)
                      ? new WrongKeyCount(old.since(), old.count() + 1)
                      : first);
    }
    return found.orElseThrow(ApiKeyCheck::wrongKey);
  }

  private static <T> Map<String, T> bounded(Map<String, T> cache) {
    if (cache.size() >= MAX_CACHE_ENTRIES) {
      cache.clear();
    }
    return cache;
  }

  private Optional<ApiKey> lookUp(String hash, @Nullable CachedKey cached) {
    Optional<ApiKey> found;
    try {
      found = keys.withHash(hash).stream().findFirst();
    } catch (DataAccessException e) {
      if (cached == null) {
        throw e;
      }
      return Optional.of(cached.key());
    }
    validKeys.remove(hash);
    found.ifPresent(key -> bounded(validKeys).put(hash, new CachedKey(key, clock.instant())));
    return found;
  }

  private static ProblemException wrongKey() {
    return unauthorized("the API key does not exist or was revoked");
  }

  private static ProblemException unauthorized(String detail) {
    return new ProblemException(Problem.UNAUTHORIZED, detail);
  }
}

package palmares.writer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import palmares.http.Problem;
import palmares.http.ProblemException;

/**
 * Says which key a request carries. Keeps the keys that it knows in mind for half a minute, so that
 * events need no look into PostgreSQL, and a revoked key stops soon; and for as long as PostgreSQL
 * does not answer, since nobody can revoke a key then.
 */
@Component
class KeyRing {
  private static final Duration FRESH = Duration.ofSeconds(30);
  private static final int MOST_KNOWN = 10_000;
  private static final String SCHEME = "Bearer ";

  private final ApiKeys keys;
  private final Clock clock;
  private final Map<String, Seen> known = new ConcurrentHashMap<>();

  KeyRing(ApiKeys keys, Clock clock) {
    this.keys = keys;
    this.clock = clock;
  }

  private record Seen(ApiKey key, Instant at) {
    boolean isFresh(Instant now) {
      return Duration.between(at, now).abs().compareTo(FRESH) < 0;
    }
  }

  /**
   * @param authorization the request's header of that name; null if it has none
   * @throws ProblemException if it carries no key in use
   */
  ApiKey require(@Nullable String authorization) {
    if (authorization == null || !authorization.startsWith(SCHEME)) {
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
        : look(hash, seen)
            .orElseThrow(() -> unauthorized("there is no such API key, or it was revoked"));
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
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    found.ifPresent(key -> known.put(hash, new Seen(key, clock.instant())));
    return found;
  }

  private static ProblemException unauthorized(String detail) {
    return new ProblemException(Problem.UNAUTHORIZED, detail);
  }
}

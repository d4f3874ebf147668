package palmares.api.identity;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;
import palmares.api.identity.ApiKeys.KeysChanged;
import palmares.platform.Problem;
import palmares.platform.threads.AnswerTimeouts;
import palmares.platform.threads.BoundedCalls;
import palmares.platform.threads.RecentlyUsed;

/**
 * Introspects the API key of a request.
 *
 * <p>Valid keys are cached, so that events need no query. {@link KeyChanges} announces every change
 * of a key, and the cached ones are looked up again at once. Unless it has heard PostgreSQL in the
 * last 5 seconds, they are looked up each second. While PostgreSQL does not answer, cached keys
 * stay valid until they expire, as nobody can revoke them, and a request waits for it for half a
 * second at most. Wrong keys are cached for 5 seconds, and few are looked up for each address, so
 * that guessing costs PostgreSQL little. That address may be the one of a proxy: after too many
 * wrong keys, the hashes of all valid ones are read, once a second at most, and only keys that are
 * not among them are refused.
 */
@Component
class ApiKeyCheck {
  private static final Duration VALID_KEY_TTL = Duration.ofSeconds(30);
  private static final Duration HEARD_DURATION = Duration.ofSeconds(5);
  private static final Duration UNANNOUNCED_TTL = Duration.ofSeconds(1);
  private static final Duration WRONG_KEY_TTL = Duration.ofSeconds(5);
  private static final int MAX_WRONG_KEYS_PER_WINDOW = 20;
  private static final int MAX_CACHE_ENTRIES = 10_000;

  /** How long a request waits for PostgreSQL to confirm a key that was valid a moment ago. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration MAX_CONFIRMATION_WAIT = Duration.ofMillis(500);

  private final ApiKeys keys;
  private final Clock clock;
  private final Map<String, CachedKey> validKeys = RecentlyUsed.map(MAX_CACHE_ENTRIES);
  private final InvalidSecrets wrong;
  private final AtomicLong changes = new AtomicLong();
  private final BoundedCalls<String, Optional<CachedKey>> confirmations =
      new BoundedCalls<>("api-key-check", MAX_CONFIRMATION_WAIT);
  private final ReentrantLock reading = new ReentrantLock();
  private volatile ValidHashes validHashes = new ValidHashes(null, Instant.EPOCH, 0);
  private volatile Instant heardAt = Instant.EPOCH;

  /** Whether a session has begun to listen and not heard anything yet. */
  private volatile boolean listening;

  ApiKeyCheck(ApiKeys keys, Clock clock) {
    this.keys = keys;
    this.clock = clock;
    this.wrong = new InvalidSecrets(clock, WRONG_KEY_TTL, MAX_WRONG_KEYS_PER_WINDOW);
  }

  /**
   * A key as it was read.
   *
   * @param authentication of its caller, which all requests share
   * @param changes how many changes had been announced before it was read
   */
  private record CachedKey(ApiKey key, Authentication authentication, Instant at, long changes) {}

  /** The hashes of all valid keys, as they were read; as in {@link CachedKey}. Null: not yet. */
  private record ValidHashes(@Nullable Set<String> hashes, Instant at, long changes) {
    boolean mayContain(String hash) {
      return hashes == null || hashes.contains(hash);
    }
  }

  /** A key has changed, or may have: all are looked up again. */
  void noteChange() {
    changes.incrementAndGet();
  }

  /** This process has changed one: it does not wait for PostgreSQL's notification. */
  @TransactionalEventListener(fallbackExecution = true)
  void noteCommitted(KeysChanged changed) {
    noteChange();
  }

  /** A session listens from now on. There may have been changes before. */
  void beginListening() {
    noteChange();
    listening = true;
  }

  /**
   * Says whether changes are announced: for the next 5 seconds, or not at all. If they were not
   * before, there may have been some, but for those since a session has begun to listen.
   */
  void setAnnounced(boolean announced) {
    boolean before = isAnnounced();
    heardAt = announced ? clock.instant() : Instant.EPOCH;
    if (announced && !before && !listening) {
      noteChange();
    }
    listening = false;
  }

  /** Whether changes were announced within the last 5 seconds. */
  boolean isAnnounced() {
    return InvalidSecrets.isWithin(HEARD_DURATION, heardAt, clock.instant());
  }

  /** Returns how many changes were noted. */
  long changes() {
    return changes.get();
  }

  /**
   * Returns the caller whose key this is, as Spring Security keeps the caller.
   *
   * @param address the client's address
   * @throws SignInFailed if it is no valid key, or the address sent too many wrong ones
   */
  Authentication authenticate(String secret, String address) {
    String hash = ApiKeys.hash(secret);
    Instant now = clock.instant();
    CachedKey cached = validKeys.get(hash);
    if (cached == null) {
      return valid(lookUpUncached(hash, address), now);
    }
    if (isFresh(cached, now)) {
      return valid(cached, now);
    }
    // Only one thread reads an outdated entry again, so that a PostgreSQL without answer blocks
    // one. After a change, every request reads for itself.
    var claimed = new CachedKey(cached.key(), cached.authentication(), now, cached.changes());
    boolean changed = cached.changes() != changes.get();
    if (!changed && !validKeys.replace(hash, cached, claimed)) {
      return valid(cached, now);
    }
    Optional<CachedKey> found = changed ? lookUp(hash, cached) : confirm(hash, claimed);
    return valid(found.orElseThrow(ApiKeyCheck::wrongKey), now);
  }

  /**
   * Looks up a key that no announced change concerns. If PostgreSQL does not answer in time, the
   * request goes on with what is known, and the next ones with the answer once it arrives.
   */
  private Optional<CachedKey> confirm(String hash, CachedKey known) {
    return confirmations
        .call(hash, () -> lookUp(hash, known))
        .orElseGet(
            () ->
                // After a change was announced, only PostgreSQL knows.
                known.changes() == changes.get() ? Optional.of(known) : lookUp(hash, known));
  }

  /**
   * Whether a key that was valid still is. PostgreSQL is asked only if a key has changed since; if
   * it does not answer, the key counts as valid.
   */
  boolean isStillValid(String secret, String address) {
    CachedKey cached = validKeys.get(ApiKeys.hash(secret));
    if (cached != null && cached.changes() == changes.get()) {
      return !cached.key().isExpired(clock.instant());
    }
    try {
      authenticate(secret, address);
      return true;
    } catch (SignInFailed e) {
      return false;
    } catch (DataAccessException e) {
      return true;
    }
  }

  private boolean isFresh(CachedKey cached, Instant now) {
    return cached.changes() == changes.get()
        && InvalidSecrets.isWithin(
            isAnnounced() ? VALID_KEY_TTL : UNANNOUNCED_TTL, cached.at(), now);
  }

  private static Authentication valid(CachedKey cached, Instant now) {
    if (cached.key().isExpired(now)) {
      throw wrongKey();
    }
    return cached.authentication();
  }

  private CachedKey lookUpUncached(String hash, String address) {
    if (wrong.isWrong(hash)) {
      throw wrongKey();
    }
    if (wrong.areTooMany(address) && !mayBeValid(hash)) {
      throw new SignInFailed(
          Problem.TOO_MANY_REQUESTS,
          new AccessSentences.TooManyWrongKeys(
              MAX_WRONG_KEYS_PER_WINDOW, InvalidSecrets.COUNTING_PERIOD.toSeconds()));
    }
    Optional<CachedKey> found = lookUp(hash, null);
    if (found.isEmpty()) {
      wrong.add(hash, address);
    }
    return found.orElseThrow(ApiKeyCheck::wrongKey);
  }

  /**
   * Whether it was among all valid keys a second ago. Only one thread reads them at a time, so that
   * a PostgreSQL without answer blocks one; meanwhile the others use what was read before.
   */
  private boolean mayBeValid(String hash) {
    Instant now = clock.instant();
    long changesBefore = changes.get();
    ValidHashes before = validHashes;
    boolean fresh =
        before.changes() == changesBefore
            && InvalidSecrets.isWithin(UNANNOUNCED_TTL, before.at(), now);
    if (!fresh && reading.tryLock()) {
      try {
        // Not again within a second, if PostgreSQL does not answer.
        validHashes = new ValidHashes(before.hashes(), now, changesBefore);
        validHashes = new ValidHashes(keys.validHashes(now), now, changesBefore);
      } finally {
        reading.unlock();
      }
    }
    return validHashes.mayContain(hash);
  }

  private Optional<CachedKey> lookUp(String hash, @Nullable CachedKey cached) {
    long changesBefore = changes.get();
    Optional<ApiKey> found;
    try {
      found = AnswerTimeouts.within(ANSWER_TIMEOUT, () -> keys.withHash(hash));
    } catch (DataAccessException e) {
      // After a change was announced, only PostgreSQL knows.
      if (cached == null || cached.changes() != changesBefore) {
        throw e;
      }
      validKeys.put(
          hash,
          new CachedKey(cached.key(), cached.authentication(), clock.instant(), changesBefore));
      return Optional.of(cached);
    }
    Optional<CachedKey> read =
        found.map(
            key ->
                new CachedKey(key, key.caller().authentication(), clock.instant(), changesBefore));
    read.ifPresentOrElse(key -> validKeys.put(hash, key), () -> validKeys.remove(hash));
    return read;
  }

  private static SignInFailed wrongKey() {
    return new SignInFailed(Problem.UNAUTHORIZED, new AccessSentences.WrongKey());
  }
}

package palmares.api.identity;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import palmares.api.http.Clients;
import palmares.platform.threads.RecentlyUsed;

/**
 * Remembers the secrets that do not exist, and how many of them each address has sent, so that
 * guessing costs PostgreSQL little. Keeps their hashes only, and few of them.
 */
final class InvalidSecrets {
  static final Duration COUNTING_PERIOD = Duration.ofSeconds(10);
  static final Duration RESERVED_LOOKUP_INTERVAL = Duration.ofSeconds(1);
  static final int RESERVED_LOOKUPS = 5;
  private static final int MAX_ENTRIES = 10_000;

  private final Clock clock;
  private final Duration ttl;
  private final int max;
  private final Map<String, Instant> wrong = RecentlyUsed.map(MAX_ENTRIES);
  private final Map<String, Count> counts = RecentlyUsed.map(MAX_ENTRIES);
  private final Map<String, Count> spare = RecentlyUsed.map(MAX_ENTRIES);

  /**
   * @param ttl how long a secret that does not exist is not looked up again
   * @param max how many are looked up for each address in a window
   */
  InvalidSecrets(Clock clock, Duration ttl, int max) {
    this.clock = clock;
    this.ttl = ttl;
    this.max = max;
  }

  /** Says how many an address has sent since the start of a window. */
  private record Count(Instant since, int count) {}

  /** Whether a secret was not there a moment ago. */
  boolean isWrong(String hash) {
    Instant refused = wrong.get(hash);
    return refused != null && isWithin(ttl, refused, clock.instant());
  }

  /** Whether an address has sent the maximum of wrong ones, so that no others are looked up. */
  boolean areTooMany(String address) {
    Count before = counts.get(Clients.network(address));
    return before != null
        && before.count() >= max
        && isWithin(COUNTING_PERIOD, before.since(), clock.instant());
  }

  /**
   * Takes one of the few lookups that an address has left each second after it has sent too many
   * wrong ones: it may be that of a proxy, and others behind it guess nothing.
   *
   * @return whether there was one
   */
  boolean takeReservedLookup(String address) {
    return count(spare, RESERVED_LOOKUP_INTERVAL, address).count() <= RESERVED_LOOKUPS;
  }

  /** Counts a secret that does not exist. */
  void add(String hash, String address) {
    add(hash);
    count(counts, COUNTING_PERIOD, address);
  }

  /** Remembers a secret that cannot be used, without counting it. */
  void add(String hash) {
    wrong.put(hash, clock.instant());
  }

  private Count count(Map<String, Count> counts, Duration window, String address) {
    Instant now = clock.instant();
    return counts.merge(
        Clients.network(address),
        new Count(now, 1),
        (old, first) ->
            isWithin(window, old.since(), now) ? new Count(old.since(), old.count() + 1) : first);
  }

  /** Compares the absolute difference, as the clock may be set back. */
  static boolean isWithin(Duration duration, Instant time, Instant now) {
    return Duration.between(time, now).abs().compareTo(duration) < 0;
  }
}

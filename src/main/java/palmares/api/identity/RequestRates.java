package palmares.api.identity;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;
import palmares.api.http.Clients;
import palmares.api.roles.Caller;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.platform.threads.RecentlyUsed;

/**
 * Limits the rate of requests of each caller and address that this process answers.
 *
 * <p>The bucket that is dropped if there are too many was not used for the longest time, so it is
 * full again, unless {@link #MAX_BUCKETS} addresses send requests within the time of the limit.
 */
@Component
@EnableConfigurationProperties(LimitSettings.class)
class RequestRates {
  static final int MAX_BUCKETS = 50_000;
  private static final Duration COUNTING_PERIOD = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final LimitSettings settings;
  private final Map<String, Bucket> callers = RecentlyUsed.map(MAX_BUCKETS);
  private final Map<String, Bucket> addresses = RecentlyUsed.map(MAX_BUCKETS);
  private final Map<String, Bucket> signIns = RecentlyUsed.map(MAX_BUCKETS);

  RequestRates(LimitSettings settings) {
    this.settings = settings;
  }

  /**
   * Counts a request of a caller.
   *
   * @throws Refusal if there were too many
   */
  void count(Caller caller) {
    count(
        callers,
        caller.name(),
        settings.requestsPerCaller(),
        COUNTING_PERIOD,
        AccessSentences.TooManyRequests::new);
  }

  /**
   * Counts a request of an address that has not signed in.
   *
   * @throws Refusal if there were too many
   */
  void count(String address) {
    count(
        addresses,
        Clients.network(address),
        settings.requestsPerAddress(),
        COUNTING_PERIOD,
        AccessSentences.TooManyRequests::new);
  }

  /**
   * Counts an attempt to sign in with a password.
   *
   * @throws Refusal if there were too many
   */
  void countSignIn(String address) {
    count(
        signIns,
        Clients.network(address),
        settings.signInsPerAddress(),
        MINUTE,
        AccessSentences.TooManySignIns::new);
  }

  /** Says what there was too much of. */
  @FunctionalInterface
  private interface Excess {
    Sentence said(String who, long most, long seconds);
  }

  private static void count(
      Map<String, Bucket> buckets, String who, int most, Duration time, Excess excess) {
    Bucket bucket = buckets.computeIfAbsent(who, name -> bucket(most, time));
    if (bucket.tryConsume(1)) {
      return;
    }
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    if (!probe.isConsumed()) {
      throw new Refusal(Problem.TOO_MANY_REQUESTS, excess.said(who, most, time.toSeconds()))
          .after(Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }
  }

  private static Bucket bucket(int most, Duration time) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(most).refillGreedy(most, time))
        .build();
  }
}

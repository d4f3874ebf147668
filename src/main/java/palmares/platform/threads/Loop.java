package palmares.platform.threads;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a piece of work in rounds, and keeps the time of the last success. If rounds fail, the
 * first failure and the recovery are logged, and the pauses between rounds grow.
 *
 * <p>This class is thread-safe.
 */
public final class Loop {
  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
  private static final int MAX_DOUBLINGS = 16;

  /** As long as Linux sends again what a machine does not acknowledge. */
  private static final Duration MAX_ANSWER_TIMEOUT = Duration.ofMinutes(15);

  private final String name;
  private final Duration maxSuccessAge;
  private final Scope scope;
  private final Outages outages;
  private final @Nullable Duration answerTimeout;
  private final LongSupplier nanos;

  private long succeededAt;
  private boolean running;
  private int failures;

  /** How many rounds since the last success have waited for an answer of PostgreSQL in vain. */
  private int timeouts;

  private long failingSince;
  private final Set<String> failureCauses = new HashSet<>();

  /** The servers whose outages caused failures since the last success. */
  private final Set<String> failedServers = new HashSet<>();

  /** Which processes run the rounds. */
  enum Scope {
    /** This process, continuously. */
    PROCESS,
    /** Any process of a cluster, in this one perhaps never. */
    CLUSTER
  }

  /**
   * @param answerTimeout how long a round waits for each answer of PostgreSQL, doubled after each
   *     round that has waited in vain: a server may only be slow; null without a bound
   */
  Loop(
      String name,
      Duration maxSuccessAge,
      Scope scope,
      @Nullable Duration answerTimeout,
      Outages outages,
      LongSupplier nanos) {
    this.name = name;
    this.maxSuccessAge = maxSuccessAge;
    this.scope = scope;
    this.answerTimeout = answerTimeout;
    this.outages = outages;
    this.nanos = nanos;
    this.succeededAt = nanos.getAsLong();
  }

  String name() {
    return name;
  }

  Duration maxSuccessAge() {
    return maxSuccessAge;
  }

  /**
   * Runs a round, and catches everything that it throws.
   *
   * @return whether it succeeded
   */
  public boolean run(Runnable round) {
    var context = LogContext.of(LogContext.LOOP, name);
    try (context) {
      return answerTimeout == null
          ? runOnce(round)
          : AnswerTimeouts.within(bound(answerTimeout), () -> runOnce(round));
    }
  }

  private boolean runOnce(Runnable round) {
    long began = begin();
    try {
      round.run();
      succeed();
      return true;
    } catch (Throwable e) {
      fail(e, began);
      return false;
    }
  }

  private synchronized long begin() {
    running = true;
    long now = nanos.getAsLong();
    if (scope == Scope.CLUSTER && failures == 0) {
      succeededAt = now; // Another process may have run the rounds until now.
    }
    return now;
  }

  synchronized void progress() {
    succeededAt = nanos.getAsLong();
  }

  private synchronized void succeed() {
    running = false;
    succeededAt = nanos.getAsLong();
    failedServers.forEach(outages::end);
    if (failureCauses.size() > failedServers.size()) {
      LOG.info("{} works again after {}", name, Outages.format(succeededAt - failingSince));
    }
    failures = 0;
    timeouts = 0;
    failureCauses.clear();
    failedServers.clear();
  }

  private synchronized void fail(Throwable failure, long began) {
    running = false;
    failures++;
    if (Outages.isTimeout(failure)) {
      timeouts++;
    }
    if (failures == 1) {
      failingSince = nanos.getAsLong();
    }
    Optional<String> server = Outages.server(failure);
    boolean isNew = failureCauses.add(server.orElse(failure.getClass().getName()));
    if (server.isPresent()) {
      failedServers.add(server.get());
      outages.begin(server.get(), failure, began);
    } else if (isNew) {
      LOG.error(
          "{} failed, and is retried with back-off: {}", name, Outages.reason(failure), failure);
    }
  }

  private synchronized Duration bound(Duration usual) {
    boolean isLong = usual.compareTo(MAX_ANSWER_TIMEOUT) > 0;
    return doubled(usual, timeouts, isLong ? usual : MAX_ANSWER_TIMEOUT);
  }

  /** The pause before the next round, doubled after each failure up to the maximum. */
  synchronized Duration pause(Duration usual, Duration max) {
    return doubled(usual, failures, max);
  }

  private static Duration doubled(Duration usual, int times, Duration max) {
    Duration grown = usual.multipliedBy(1L << Math.min(times, MAX_DOUBLINGS));
    return times == 0 || grown.compareTo(max) < 0 ? grown : max;
  }

  /** Time since the last success, or since the start if there was none. */
  synchronized Duration age() {
    return Duration.ofNanos(nanos.getAsLong() - succeededAt);
  }

  /** Whether the last success is too old. */
  synchronized boolean isOverdue() {
    boolean isExpected = scope == Scope.PROCESS || failures > 0 || running;
    return isExpected && age().compareTo(maxSuccessAge) > 0;
  }
}

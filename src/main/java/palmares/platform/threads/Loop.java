package palmares.platform.threads;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One piece of work that is done again and again. A round may fail of anything: that is logged when
 * it begins and when it is over, and the next rounds come at growing intervals.
 */
public final class Loop {
  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
  private static final int MAX_DOUBLINGS = 16;

  private final String name;
  private final Duration bound;
  private final Scope scope;
  private final Outages outages;
  private final LongSupplier nanos;

  private long succeededAt;
  private boolean running;
  private int failures;
  private long failingSince;
  private final Set<String> failedOf = new HashSet<>();

  /** What the failures since the last success were outages of. */
  private final Set<String> failedServers = new HashSet<>();

  /** Where rounds are run. */
  enum Scope {
    /** In this process, all the time. */
    PROCESS,
    /** In any process of several; in this one perhaps never. */
    CLUSTER
  }

  Loop(String name, Duration bound, Scope scope, Outages outages, LongSupplier nanos) {
    this.name = name;
    this.bound = bound;
    this.scope = scope;
    this.outages = outages;
    this.nanos = nanos;
    this.succeededAt = nanos.getAsLong();
  }

  String name() {
    return name;
  }

  Duration bound() {
    return bound;
  }

  /**
   * Runs a round, and throws nothing that it throws.
   *
   * @return whether it succeeded
   */
  public boolean run(Runnable round) {
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
      succeededAt = now; // Until now it was another process's turn.
    }
    return now;
  }

  /** Says that a long round goes on well. */
  synchronized void progress() {
    succeededAt = nanos.getAsLong();
  }

  private synchronized void succeed() {
    running = false;
    succeededAt = nanos.getAsLong();
    failedServers.forEach(outages::end);
    if (failedOf.size() > failedServers.size()) {
      LOG.info("{} works again after {}", name, Outages.spoken(succeededAt - failingSince));
    }
    failures = 0;
    failedOf.clear();
    failedServers.clear();
  }

  private synchronized void fail(Throwable failure, long began) {
    running = false;
    failures++;
    if (failures == 1) {
      failingSince = nanos.getAsLong();
    }
    Optional<String> server = Outages.server(failure);
    boolean isNews = failedOf.add(server.orElse(failure.getClass().getName()));
    if (server.isPresent()) {
      failedServers.add(server.get());
      outages.begin(server.get(), failure, began);
    } else if (isNews) {
      LOG.error(
          "{} failed, and is retried with back-off: {}", name, Outages.reason(failure), failure);
    }
  }

  /** The pause until the next round: twice as long after each failure, up to a limit. */
  synchronized Duration pause(Duration usual, Duration longest) {
    Duration grown = usual.multipliedBy(1L << Math.min(failures, MAX_DOUBLINGS));
    return failures == 0 || grown.compareTo(longest) < 0 ? grown : longest;
  }

  /** Time since the last success, or since the start if there was none. */
  synchronized Duration age() {
    return Duration.ofNanos(nanos.getAsLong() - succeededAt);
  }

  /** Whether the last success is older than it may be. */
  synchronized boolean isOverdue() {
    boolean expected = scope == Scope.PROCESS || failures > 0 || running;
    return expected && age().compareTo(bound) > 0;
  }
}

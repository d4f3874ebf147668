package palmares.platform.infra;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.nodes.NodeSentences;
import palmares.platform.nodes.Nodes;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.platform.threads.AnswerTimeouts;
import palmares.platform.threads.Outages.ServerOutage;
import palmares.platform.time.MachineClock;

/**
 * Lets this process drain, relay, close and deliver only while it is known that no copy of its
 * database does so, that no other process has its name, and that no newer version runs. A process
 * that was paused does not know that, and checks it before it works again. In doubt it pays nobody;
 * it takes events unless it knows that it must not.
 */
@Component("workHealthIndicator")
public class WorkPermit implements HealthIndicator {
  /** Counted from before a check, and shorter than the time for which a copy waits after it. */
  private static final Duration VALIDITY = RedisOwner.SERVED.minusSeconds(15);

  /** How long a refusal holds until it is checked again. */
  private static final Duration REFUSAL = Duration.ofSeconds(1);

  /** Bounds how long callers that go on without Redis wait for a check that another one runs. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  /** Bounds each answer of PostgreSQL to a check, also for a closing, which waits for as long. */
  private static final Duration MAX_ANSWER = Duration.ofSeconds(10);

  private final RedisOwner owner;
  private final Nodes nodes;
  private final Clock clock;
  private final TransactionTemplate outside;
  private final LongSupplier nanos;
  private final MachineClock machine;

  /** The check that a thread runs now. */
  private final AtomicReference<@Nullable CompletableFuture<Boolean>> running =
      new AtomicReference<>();

  /** When the last check began. */
  private volatile @Nullable Moment begun;

  private volatile @Nullable Moment granted;

  /** When the last check that has ended began. */
  private volatile @Nullable Moment checked;

  private volatile @Nullable Obstacle obstacle;

  @Autowired
  WorkPermit(
      RedisOwner owner,
      Nodes nodes,
      Clock clock,
      PlatformTransactionManager transactions,
      ObjectProvider<MachineClock> machine) {
    this(
        owner,
        nodes,
        clock,
        transactions,
        System::nanoTime,
        machine.getIfAvailable(() -> System::currentTimeMillis));
  }

  /**
   * @param nanos a monotonic clock, which may stand still while the machine is suspended
   */
  WorkPermit(
      RedisOwner owner,
      Nodes nodes,
      Clock clock,
      PlatformTransactionManager transactions,
      LongSupplier nanos,
      MachineClock machine) {
    this.owner = owner;
    this.nodes = nodes;
    this.clock = clock;
    this.outside = new TransactionTemplate(transactions);
    this.outside.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
    this.nanos = nanos;
    this.machine = machine;
  }

  /** A time by two clocks of this machine, one of which notices that it was suspended. */
  private record Moment(long nanos, long millis) {}

  /**
   * What keeps this process from working.
   *
   * @param since when it was found
   */
  public record Obstacle(ServersUnavailable reason, Instant since) {
    /** What is wrong, what follows, and what to do. */
    public Sentence said() {
      return new StoreSentences.Suspended(reason.problem(), reason.remedy());
    }
  }

  /** Reports that this process must not work. It may again once the obstacle is gone. */
  public static final class WorkSuspended extends Refusal implements ServerOutage {
    WorkSuspended(Obstacle obstacle) {
      super(Problem.SUSPENDED, obstacle.said());
    }

    @Override
    public String server() {
      return "the work of this server";
    }
  }

  /**
   * Requires that this process may work; asks PostgreSQL and Redis if that is not known. Costs
   * nothing else.
   *
   * @throws WorkSuspended if it may not
   * @throws RedisUnavailable if Redis cannot say so
   */
  public void require() {
    while (isOlder(granted, VALIDITY)) {
      Obstacle known = obstacle;
      if (known != null && !isOlder(checked, REFUSAL)) {
        throw new WorkSuspended(known);
      }
      renew();
    }
  }

  /** Whether this process may work, as {@link #require} finds. */
  public boolean isGranted() {
    try {
      require();
      return true;
    } catch (WorkSuspended | RedisUnavailable e) {
      return false;
    }
  }

  /**
   * Requires that nothing is known to keep this process from working. For what pays nobody, such as
   * taking events, which go on while Redis cannot say so.
   *
   * @throws WorkSuspended if it may not
   */
  public void requireNotSuspended() {
    boolean hangs = running.get() != null && isOlder(begun, MAX_WAIT);
    if (!hangs && isOlder(granted, VALIDITY) && isOlder(checked, VALIDITY)) {
      try {
        join(sharedCheck().copy().orTimeout(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS));
      } catch (RedisUnavailable | DataAccessException | CompletionException e) {
        // The heartbeats report it.
      }
    }
    Obstacle known = obstacle;
    if (known != null) {
      throw new WorkSuspended(known);
    }
  }

  /**
   * Checks whether this process may work, and if so, keeps copies of its database from it for a
   * minute. If another thread does so at the moment, waits for its result.
   *
   * @throws WorkSuspended if it may not
   * @throws RedisUnavailable if Redis does not answer; what was granted holds until it ends
   */
  public void renew() {
    join(sharedCheck());
  }

  /**
   * Returns the check of another thread that runs, else checks: if Redis hangs, many callers wait
   * for one answer, and not one after the other.
   */
  private CompletableFuture<Boolean> sharedCheck() {
    var own = new CompletableFuture<Boolean>();
    CompletableFuture<Boolean> others = running.compareAndExchange(null, own);
    if (others != null) {
      return others;
    }
    own.completeAsync(
        () -> {
          runCheck();
          return true;
        },
        Runnable::run);
    running.set(null);
    return own;
  }

  private static void join(CompletableFuture<Boolean> check) {
    try {
      check.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  private void runCheck() {
    Moment now = new Moment(nanos.getAsLong(), machine.millis());
    begun = now;
    try {
      AnswerTimeouts.within(
          MAX_ANSWER,
          () -> {
            outside.executeWithoutResult(status -> check());
            return true;
          });
      granted = now;
      obstacle = null;
    } catch (ServersUnavailable e) {
      granted = null;
      Obstacle known = obstacle;
      Obstacle found = new Obstacle(e, known == null ? clock.instant() : known.since());
      obstacle = found;
      throw new WorkSuspended(found);
    } finally {
      checked = now;
    }
  }

  private void check() {
    Optional.of(nodes)
        .filter(each -> owner.isServer())
        .flatMap(Nodes::holder)
        .ifPresent(
            holder -> {
              throw new ServersUnavailable(
                  new NodeSentences.NameTaken(nodes.name(), holder.process()),
                  new NodeSentences.NameDifferently());
            });
    nodes
        .newer()
        .ifPresent(
            newer -> {
              throw new ServersUnavailable(
                  new StoreSentences.OtherVersion(
                      newer.name(), false, newer.format(), Nodes.OLDEST_FORMAT, Nodes.FORMAT),
                  new StoreSentences.StartNewer());
            });
    forgetOtherServers();
    owner.serve();
  }

  /** A name that is free again keeps nobody from working, even if Redis cannot be asked. */
  private void forgetOtherServers() {
    Obstacle known = obstacle;
    if (known != null
        && (known.reason().problem() instanceof NodeSentences.NameTaken
            || known.reason().problem() instanceof StoreSentences.OtherVersion)) {
      obstacle = null;
    }
  }

  private boolean isOlder(@Nullable Moment moment, Duration age) {
    return moment == null
        || nanos.getAsLong() - moment.nanos() >= age.toNanos()
        || Math.abs(machine.millis() - moment.millis()) >= age.toMillis();
  }

  /** What keeps this process from working, as the last check found; empty if nothing does. */
  public Optional<Obstacle> obstacle() {
    return Optional.ofNullable(obstacle);
  }

  @Override
  public Health health() {
    Obstacle known = obstacle;
    return known == null
        ? Health.up().build()
        : Health.down().withDetail("error", Texts.here().of(known.said())).build();
  }
}

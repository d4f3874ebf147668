package palmares.operations.monitoring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.stereotype.Component;
import palmares.platform.form.Choice;
import palmares.platform.nodes.Nodes;
import palmares.platform.nodes.Nodes.Node;
import palmares.platform.redis.RedisClient;
import palmares.settlement.nightly.NightlyVerification;
import palmares.settlement.nightly.NightlyVerification.NightlyResult;

/**
 * Finds what keeps an installation from closing periods, or from seeing that they are wrong. An
 * inbox that is empty for that reason is no good news.
 */
@Component
public class InstallationHealth {
  /** Sweeps are a minute apart. */
  static final Duration MAX_SWEEP_AGE = Duration.ofMinutes(5);

  /** A day, and two hours for the verification itself. */
  static final Duration MAX_VERIFICATION_AGE = Duration.ofHours(26);

  private static final Duration MAX_WAIT = Duration.ofSeconds(1);
  private static final long REPEAT_NANOS = Duration.ofSeconds(1).toNanos();

  private final RedisClient redis;
  private final Nodes nodes;
  private final NightlyVerification verification;
  private final Clock clock;

  /** Redis may take longer to refuse than a page waits, so another thread asks it. */
  private final SimpleAsyncTaskExecutor redisCheck = new SimpleAsyncTaskExecutor("redis check ");

  private @Nullable CompletableFuture<Void> ping;
  private long failedAtNanos = System.nanoTime() - REPEAT_NANOS;

  InstallationHealth(
      RedisClient redis, Nodes nodes, NightlyVerification verification, Clock clock) {
    this.redis = redis;
    this.nodes = nodes;
    this.verification = verification;
    this.clock = clock;
    redisCheck.setDaemon(true);
  }

  /** Says what does not work. */
  public enum Part implements Choice {
    REDIS,
    SWEEP,
    VERIFICATION
  }

  /**
   * A part that does not work.
   *
   * @param since when it last worked; null if that is not known
   */
  public record Trouble(Part part, @Nullable Instant since) {}

  /**
   * Returns the parts that do not work. Waits for Redis a second at most, and asks it again a
   * second after it has not answered.
   *
   * @throws RuntimeException if PostgreSQL does not answer
   */
  public List<Trouble> troubles() {
    var troubles = new ArrayList<Trouble>();
    if (!redisAnswers()) {
      troubles.add(new Trouble(Part.REDIS, null));
    }
    Optional<Instant> started = nodes.all().stream().map(Node::startedAt).min(Instant::compareTo);
    addIfOld(troubles, Part.SWEEP, nodes.sweptAt().or(() -> started), MAX_SWEEP_AGE);
    addIfOld(
        troubles,
        Part.VERIFICATION,
        verification.last().map(NightlyResult::endedAt).or(() -> started),
        MAX_VERIFICATION_AGE);
    return troubles;
  }

  private void addIfOld(
      List<Trouble> troubles, Part part, Optional<Instant> last, Duration maxAge) {
    last.filter(at -> at.isBefore(clock.instant().minus(maxAge)))
        .ifPresent(at -> troubles.add(new Trouble(part, at)));
  }

  private synchronized boolean redisAnswers() {
    if (System.nanoTime() - failedAtNanos < REPEAT_NANOS) {
      return false;
    }
    CompletableFuture<Void> asked = ping;
    if (asked == null || asked.isDone()) {
      asked = CompletableFuture.runAsync(redis::ping, redisCheck);
      ping = asked;
    }
    try {
      asked.get(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      failedAtNanos = System.nanoTime();
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

package palmares.operations.monitoring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.platform.nodes.Nodes;
import palmares.platform.nodes.Nodes.Node;
import palmares.platform.nodes.Nodes.RedisOutage;
import palmares.platform.nodes.StoreProbe;
import palmares.platform.redis.RedisUnavailable.Reason;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import palmares.settlement.schedule.NightlyVerification;
import palmares.settlement.schedule.NightlyVerification.NightlyResult;

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

  private final StoreProbe stores;
  private final Nodes nodes;
  private final NightlyVerification verification;
  private final Clock clock;

  InstallationHealth(
      StoreProbe stores, Nodes nodes, NightlyVerification verification, Clock clock) {
    this.stores = stores;
    this.nodes = nodes;
    this.verification = verification;
    this.clock = clock;
  }

  /** Says what does not work. */
  public enum Part implements Choice {
    REDIS,
    SESSIONS,
    SWEEP,
    VERIFICATION
  }

  /**
   * A part that does not work.
   *
   * @param since when it last worked; null if that is not known
   * @param redis why Redis cannot be used; null for other parts
   */
  public record Trouble(Part part, @Nullable Instant since, @Nullable Reason redis) {
    /** Says what follows from it, and what to do. */
    public Sentence said() {
      return switch (part) {
        case REDIS -> new InstallationSentences.Redis(Objects.requireNonNull(redis).said());
        case SESSIONS -> new InstallationSentences.SharedSessions();
        case SWEEP -> new InstallationSentences.NoSweep();
        case VERIFICATION -> new InstallationSentences.Unverified();
      };
    }
  }

  /**
   * Returns the parts that do not work. Waits for Redis for a second at most.
   *
   * @throws RuntimeException if PostgreSQL does not answer
   */
  public List<Trouble> troubles() {
    var troubles = new ArrayList<Trouble>();
    Optional<RedisOutage> outage = nodes.redisOutage();
    Optional<Reason> failure = stores.redisFailure();
    failure.ifPresent(
        reason ->
            troubles.add(
                new Trouble(Part.REDIS, outage.map(RedisOutage::since).orElse(null), reason)));
    if (stores.sharesSessions()) {
      troubles.add(new Trouble(Part.SESSIONS, null, null));
    }
    Optional<Instant> started = nodes.all().stream().map(Node::started).min(Instant::compareTo);
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
        .ifPresent(at -> troubles.add(new Trouble(part, at, null)));
  }
}

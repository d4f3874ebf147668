package palmares.operations.monitoring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveKeys;
import palmares.period.Periods;
import palmares.platform.nodes.Nodes;
import palmares.platform.nodes.Nodes.Node;
import palmares.platform.nodes.Nodes.RedisOutage;
import palmares.platform.nodes.StoreProbe;
import palmares.platform.nodes.StoreProbe.NodeOutage;
import palmares.platform.redis.RedisClient;
import palmares.platform.text.Choice;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Sentence;
import palmares.settlement.schedule.NightlyVerification;
import palmares.settlement.schedule.NightlyVerification.NightlyResult;

/**
 * Finds what keeps an installation from closing periods, or from seeing that they are wrong. An
 * inbox that is empty for that reason is no good news.
 */
@Component
public class InstallationHealth {
  /** What keeps an installation from closing periods. */
  interface InstallationSentences {
    record Redis(Sentence why) implements Sentence {}

    /**
     * @param node the address of a master of a cluster
     * @param boards that it has
     */
    record RedisNode(String node, Sentence why, Sentence boards) implements Sentence {}

    /** As {@link RedisNode}, of a node that has no open board. */
    record RedisNodeWithoutBoards(String node, Sentence why) implements Sentence {}

    record SharedSessions() implements Sentence {}

    record NoSweep() implements Sentence {}

    record Unverified() implements Sentence {}
  }

  /** Sweeps are a minute apart. */
  static final Duration MAX_SWEEP_AGE = Duration.ofMinutes(5);

  /** A day, and two hours for the verification itself. */
  static final Duration MAX_VERIFICATION_AGE = Duration.ofHours(26);

  private static final int MAX_NAMED_BOARDS = 10;

  private final StoreProbe stores;
  private final RedisClient redis;
  private final Periods periods;
  private final Nodes nodes;
  private final NightlyVerification verification;
  private final Clock clock;

  InstallationHealth(
      StoreProbe stores,
      RedisClient redis,
      Periods periods,
      Nodes nodes,
      NightlyVerification verification,
      Clock clock) {
    this.stores = stores;
    this.redis = redis;
    this.periods = periods;
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
   * @param node which node of a Redis cluster; empty for other parts, and for all of Redis
   * @param said what follows from it, and what to do
   */
  public record Trouble(Part part, @Nullable Instant since, String node, Sentence said) {}

  /**
   * Returns the parts that do not work. Waits for Redis for a second at most.
   *
   * @throws RuntimeException if PostgreSQL does not answer
   */
  public List<Trouble> troubles() {
    var troubles = new ArrayList<Trouble>();
    addRedis(troubles);
    if (stores.sharesSessions()) {
      troubles.add(
          new Trouble(Part.SESSIONS, null, "", new InstallationSentences.SharedSessions()));
    }
    Optional<Instant> started = nodes.all().stream().map(Node::startedAt).min(Instant::compareTo);
    ifOld(nodes.sweptAt().or(() -> started), MAX_SWEEP_AGE)
        .map(at -> new Trouble(Part.SWEEP, at, "", new InstallationSentences.NoSweep()))
        .ifPresent(troubles::add);
    ifOld(verification.last().map(NightlyResult::endedAt).or(() -> started), MAX_VERIFICATION_AGE)
        .map(at -> new Trouble(Part.VERIFICATION, at, "", new InstallationSentences.Unverified()))
        .ifPresent(troubles::add);
    return troubles;
  }

  private void addRedis(List<Trouble> troubles) {
    Instant stored = nodes.redisOutage().map(RedisOutage::since).orElse(null);
    for (NodeOutage outage : stores.redisOutages()) {
      Instant since = outage.since() == null ? stored : outage.since();
      Sentence why = outage.reason().said();
      troubles.add(
          new Trouble(
              Part.REDIS,
              since,
              outage.node(),
              outage.node().isEmpty()
                  ? new InstallationSentences.Redis(why)
                  : node(outage.node(), why)));
    }
  }

  private Sentence node(String node, Sentence why) {
    List<String> boards =
        periods.open().stream()
            .filter(period -> redis.master(LiveKeys.of(period).meta()).equals(Optional.of(node)))
            .map(period -> period.board().value())
            .distinct()
            .sorted()
            .toList();
    return boards.isEmpty()
        ? new InstallationSentences.RedisNodeWithoutBoards(node, why)
        : new InstallationSentences.RedisNode(
            node, why, ListSentences.first(boards, MAX_NAMED_BOARDS));
  }

  private Optional<Instant> ifOld(Optional<Instant> last, Duration maxAge) {
    return last.filter(at -> at.isBefore(clock.instant().minus(maxAge)));
  }
}

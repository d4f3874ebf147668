package palmares.platform.redis;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import palmares.platform.form.Choice;
import palmares.platform.threads.Outages;
import palmares.platform.threads.Outages.ServerOutage;

/**
 * Reports that Redis did not answer or refused a command. Whether the command had an effect is
 * unknown; it may be retried.
 */
public final class RedisUnavailable extends RuntimeException implements ServerOutage {
  /** Why Redis could not be used. */
  public enum Reason implements Choice {
    /** It cannot be reached, is too slow, or refuses for a reason that is not listed here. */
    NO_ANSWER("Redis does not answer", Effect.UNUSABLE),
    /** It was started and still loads its data. */
    LOADING("Redis still loads its data", Effect.UNUSABLE, "LOADING "),
    /** Its memory limit is reached: it still answers reads, but rejects writes. */
    OUT_OF_MEMORY(
        "Redis has reached its memory limit (maxmemory) and rejects writes; raise the limit",
        Effect.READ_ONLY,
        "OOM command not allowed"),
    /** It is a node of a cluster, but was not configured as a cluster here. */
    CLUSTER(
        "Redis is a node of a cluster; set spring.data.redis.cluster.nodes instead of"
            + " spring.data.redis.host, and restart the server",
        Effect.UNUSABLE,
        "MOVED ",
        "ASK "),
    /** It is a replica, such as a master that was demoted: what it answers may be old. */
    REPLICA(
        "Redis is a replica and rejects writes; this server reconnects every few seconds until"
            + " spring.data.redis.* leads to the master",
        Effect.UNUSABLE,
        "READONLY ",
        "MASTERDOWN "),
    /** It cannot write its snapshot or its append-only file, and rejects writes. */
    CANNOT_SAVE(
        "Redis cannot save its data and rejects writes; free space on its disk, and read its log",
        Effect.READ_ONLY,
        "MISCONF "),
    /** It has fewer replicas than {@code min-replicas-to-write}, and rejects writes. */
    TOO_FEW_REPLICAS(
        "Redis has fewer replicas than its min-replicas-to-write and rejects writes; start its"
            + " replicas",
        Effect.READ_ONLY,
        "NOREPLICAS "),
    /** Its user may not run a command or use a key, or the password is wrong. */
    FORBIDDEN(
        "Redis does not allow its user what Palmares needs; grant the rights that the operations"
            + " guide lists, or correct spring.data.redis.username and password",
        Effect.UNUSABLE,
        "NOPERM ",
        "NOAUTH ",
        "WRONGPASS ",
        "The user executing the script can't"),
    /** No node of the cluster serves some of its slots. */
    CLUSTER_DOWN(
        "the Redis cluster does not serve all of its slots; 'redis-cli --cluster check' names the"
            + " node that is missing",
        Effect.UNUSABLE,
        "CLUSTERDOWN ",
        "Cannot determine a partition"),
    /** The slot of the board moves to another node of the cluster. */
    SLOT_MOVING(
        "the Redis cluster moves the slot of this board to another node; complete the move, or end"
            + " it by CLUSTER SETSLOT STABLE",
        Effect.READ_ONLY,
        "TRYAGAIN "),
    /** A command has keys of several slots of the cluster. */
    CROSS_SLOT(
        "a Redis cluster takes no command on keys of several slots; give the keys of an adopted"
            + " board one hash tag",
        Effect.READ_ONLY,
        "CROSSSLOT ");

    private final String sentence;
    private final Effect effect;
    private final List<String> errors;

    /**
     * @param errors begin Redis' messages, which an error raised in a script may contain anywhere
     */
    Reason(String sentence, Effect effect, String... errors) {
      this.sentence = sentence;
      this.effect = effect;
      this.errors = List.of(errors);
    }

    private enum Effect {
      /** What Redis answers to reads is right, or it is about one board alone. */
      READ_ONLY,
      /** Nothing works, or what is read may be wrong. */
      UNUSABLE
    }

    /** What is wrong and what to do, without a full stop. */
    public String sentence() {
      return sentence;
    }

    /** Whether neither reads nor writes can be relied on. */
    public boolean isUnusable() {
      return effect == Effect.UNUSABLE;
    }

    private boolean explains(String message) {
      return errors.stream().anyMatch(message::contains);
    }

    private static Optional<Reason> of(String message) {
      return Stream.of(values()).filter(reason -> reason.explains(message)).findFirst();
    }
  }

  private static final int MAX_CAUSES = 20;

  private final Reason reason;

  RedisUnavailable(Throwable cause, boolean isCluster) {
    this(cause, reason(cause, isCluster));
  }

  private RedisUnavailable(Throwable cause, Reason reason) {
    super("%s (%s)".formatted(reason.sentence(), Outages.reason(cause)), cause);
    this.reason = reason;
  }

  @Override
  public String server() {
    return "Redis";
  }

  public Reason reason() {
    return reason;
  }

  /** A client of a cluster follows a redirect unless there are too many: the slots move. */
  private static Reason reason(Throwable failure, boolean isCluster) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      Optional<Reason> found = Reason.of(String.valueOf(cause.getMessage()));
      if (found.isPresent()) {
        return found.get() == Reason.CLUSTER && isCluster ? Reason.SLOT_MOVING : found.get();
      }
    }
    return Reason.NO_ANSWER;
  }
}

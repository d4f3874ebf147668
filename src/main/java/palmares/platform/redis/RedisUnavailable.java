package palmares.platform.redis;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.platform.threads.Outages;
import palmares.platform.threads.Outages.ServerOutage;

/**
 * Reports that Redis did not answer or refused a command. Whether the command had an effect is
 * unknown; it may be retried.
 */
public final class RedisUnavailable extends RuntimeException implements ServerOutage {
  /** Why Redis cannot be used. */
  interface RedisSentences {
    record Unavailable(RedisUnavailable.Reason reason) implements Sentence {}
  }

  /** Why Redis could not be used. */
  public enum Reason implements Choice {
    /** It cannot be reached, is too slow, or refuses for a reason that is not listed here. */
    NO_ANSWER(Effect.UNUSABLE),
    /** It was started and still loads its data. */
    LOADING(Effect.UNUSABLE, "LOADING "),
    /** Its memory limit is reached: it still answers reads, but rejects writes. */
    OUT_OF_MEMORY(Effect.READ_ONLY, "OOM command not allowed"),
    /** It is a node of a cluster, but was not configured as a cluster here. */
    CLUSTER(Effect.UNUSABLE, "MOVED ", "ASK "),
    /** It is a replica, such as a master that was demoted: what it answers may be old. */
    REPLICA(Effect.UNUSABLE, "READONLY ", "MASTERDOWN "),
    /** It cannot write its snapshot or its append-only file, and rejects writes. */
    CANNOT_SAVE(Effect.READ_ONLY, "MISCONF "),
    /** It has fewer replicas than {@code min-replicas-to-write}, and rejects writes. */
    TOO_FEW_REPLICAS(Effect.READ_ONLY, "NOREPLICAS "),
    /** Its user may not run a command or use a key, or the password is wrong. */
    FORBIDDEN(
        Effect.UNUSABLE, "NOPERM ", "NOAUTH ", "WRONGPASS ", "The user executing the script can't"),
    /** No node of the cluster serves some of its slots. */
    CLUSTER_DOWN(Effect.UNUSABLE, "CLUSTERDOWN ", "Cannot determine a partition"),
    /** The slot of the board moves to another node of the cluster. */
    SLOT_MOVING(Effect.READ_ONLY, "TRYAGAIN "),
    /** A command has keys of several slots of the cluster. */
    CROSS_SLOT(Effect.READ_ONLY, "CROSSSLOT ");

    private final Effect effect;
    private final List<String> errors;

    /**
     * @param errors begin Redis' messages, which an error raised in a script may contain anywhere
     */
    Reason(Effect effect, String... errors) {
      this.effect = effect;
      this.errors = List.of(errors);
    }

    private enum Effect {
      /** What Redis answers to reads is right, or it is about one board alone. */
      READ_ONLY,
      /** Nothing works, or what is read may be wrong. */
      UNUSABLE
    }

    /** What is wrong and what to do. */
    public Sentence said() {
      return new RedisSentences.Unavailable(this);
    }

    /** Whether neither reads nor writes can be relied on. */
    public boolean isUnusable() {
      return effect == Effect.UNUSABLE;
    }

    /** Whether Redis answers, and refuses what it is asked. */
    public boolean isAnswer() {
      return this != NO_ANSWER && this != LOADING;
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
    super("%s (%s)".formatted(Texts.english(reason.said()), Outages.reason(cause)), cause);
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

package palmares.platform.redis;

import palmares.platform.threads.Outages;
import palmares.platform.threads.Outages.ServerOutage;

/**
 * Reports that Redis did not answer or refused a command. Whether the command had an effect is
 * unknown; it may be retried.
 */
public final class RedisUnavailable extends RuntimeException implements ServerOutage {
  /** Why Redis did not answer. */
  public enum Reason {
    /** It cannot be reached, is too slow, or refuses for a reason that is not listed here. */
    NO_ANSWER,
    /** It was started and still loads its data. */
    LOADING,
    /** Its memory limit is reached: it still answers reads, but rejects writes. */
    OUT_OF_MEMORY,
    /** It is a node of a cluster, but was not configured as a cluster here. */
    CLUSTER
  }

  private final Reason reason;

  RedisUnavailable(Throwable cause) {
    super("Redis: " + Outages.reason(cause), cause);
    this.reason = reason(String.valueOf(cause.getMessage()));
  }

  @Override
  public String server() {
    return "Redis";
  }

  public Reason reason() {
    return reason;
  }

  /** An error of Redis begins with its code, but one raised in a script may contain it anywhere. */
  private static Reason reason(String error) {
    if (error.startsWith("LOADING")) {
      return Reason.LOADING;
    }
    if (error.startsWith("MOVED") || error.startsWith("ASK ")) {
      return Reason.CLUSTER;
    }
    return error.contains("OOM command not allowed") ? Reason.OUT_OF_MEMORY : Reason.NO_ANSWER;
  }
}

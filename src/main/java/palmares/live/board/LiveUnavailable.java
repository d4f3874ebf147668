package palmares.live.board;

import palmares.platform.threads.Outages;
import palmares.platform.threads.ServerOutage;

/** Redis does not answer, or refuses: nothing is known of what was asked for. Try again later. */
public final class LiveUnavailable extends RuntimeException implements ServerOutage {
  private static final long serialVersionUID = 1L;

  /** What is the matter with Redis. */
  public enum Trouble {
    /** It cannot be reached, is too slow, or refuses for a reason that is not listed here. */
    NO_ANSWER,
    /** It has been started and still reads its data. */
    LOADING,
    /** It may use no more memory: it answers, but takes nothing. */
    FULL,
    /** It is one node of a cluster, and was not configured as one here. */
    CLUSTER
  }

  private final Trouble trouble;

  LiveUnavailable(Throwable cause) {
    super("Redis: " + Outages.reason(cause), cause);
    this.trouble = trouble(String.valueOf(cause.getMessage()));
  }

  @Override
  public String server() {
    return "Redis";
  }

  public Trouble trouble() {
    return trouble;
  }

  /** Redis begins an error with its kind; one that a script met may stand further on. */
  private static Trouble trouble(String error) {
    if (error.startsWith("LOADING")) {
      return Trouble.LOADING;
    }
    if (error.startsWith("MOVED") || error.startsWith("ASK ")) {
      return Trouble.CLUSTER;
    }
    return error.contains("OOM command not allowed") ? Trouble.FULL : Trouble.NO_ANSWER;
  }
}

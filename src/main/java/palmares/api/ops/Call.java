package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;

/**
 * How a verb is called.
 *
 * @param dryRun whether to say what would change, and to change nothing: {@code ?dryRun=true}
 * @param key a repeat with this key gets the first result: {@code Idempotency-Key}; null for none
 * @param ifMatch the ETag of the period, person or key that the caller has seen: {@code If-Match};
 *     null for any
 */
public record Call(boolean dryRun, @Nullable String key, @Nullable String ifMatch) {
  /** A call without conditions. */
  public static final Call PLAIN = new Call(false, null, null);

  /** Whether the call is refused if what the caller has seen has changed. */
  boolean isConditional() {
    return ifMatch != null && !ifMatch.equals("*");
  }

  /**
   * Refuses a condition that cannot hold.
   *
   * @param what the verb acts on, which has no ETag
   */
  void requireUnconditional(String what) {
    if (isConditional()) {
      throw new ProblemException(
          Problem.STALE_VIEW, "%s has no ETag: leave out If-Match".formatted(what));
    }
  }
}

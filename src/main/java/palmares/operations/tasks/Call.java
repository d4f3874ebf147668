package palmares.operations.tasks;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.Sha256;

/**
 * How a verb is called.
 *
 * @param dryRun whether to say what would change, and to change nothing: {@code ?dryRun=true}
 * @param key a repeat with this key gets the first result: {@code Idempotency-Key}; null for none
 * @param ifMatch the ETag of the period, person or key that the caller has seen, or that of a dry
 *     run: {@code If-Match}; null for any
 * @param isCompared whether the verb compares the condition
 */
public record Call(
    boolean dryRun, @Nullable String key, @Nullable String ifMatch, boolean isCompared) {
  public static final String DRY_RUN = "dryRun";

  private static final int TAG_DIGITS = 16;
  private static final Pattern KEY = Pattern.compile("[!#-~]{1,255}");

  public Call(boolean dryRun, @Nullable String key, @Nullable String ifMatch) {
    this(dryRun, key, ifMatch, false);
  }

  /**
   * @param key without quotes
   * @throws Refusal if it is not valid
   */
  public static void requireValidKey(String key) {
    if (!KEY.matcher(key).matches()) {
      throw new Refusal(Problem.INVALID_IDEMPOTENCY_KEY, new CallSentences.KeyInvalid());
    }
  }

  /** Whether the call is refused if what the caller has seen has changed. */
  public boolean isConditional() {
    return !isCompared && ifMatch != null && !ifMatch.equals("*");
  }

  /** Whether the caller has seen what has this ETag, one of those in {@code If-Match}. */
  public boolean hasSeen(String tag) {
    return !isConditional()
        || ifMatch != null
            && Stream.of(ifMatch.split(",")).map(String::strip).anyMatch(tag::equals);
  }

  /** The same call for {@link Tasks}, with its condition left to the verb, which compares it. */
  public Call compared() {
    return new Call(dryRun, key, ifMatch, true);
  }

  /** Refuses a condition that cannot hold: what the verb acts on has no ETag. */
  public void requireUnconditional() {
    if (isConditional()) {
      throw new Refusal(Problem.STALE_VIEW, new CallSentences.NoTag());
    }
  }

  /**
   * Refuses to change anything but what the caller's dry run has shown.
   *
   * @param changes as in {@link Result#changing}
   */
  public void requireShown(String verb, List<String> changes) {
    String tag = tag(verb, changes);
    if (!hasSeen(tag)) {
      throw new Refusal(Problem.STALE_VIEW, new CallSentences.NotShown(verb, tag));
    }
  }

  /** The ETag of what a verb changes. */
  public static String tag(String verb, List<String> changes) {
    return "\"%s\""
        .formatted(Sha256.of(verb + "\n" + String.join("\n", changes)).substring(0, TAG_DIGITS));
  }
}

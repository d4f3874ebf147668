package palmares.api.ops;

import org.jspecify.annotations.Nullable;

/**
 * The body of a verb that needs nothing else.
 *
 * @param reason the caller's own words, 1 to 500 characters
 */
public record ReasonOrder(@Nullable String reason) {
  /** The longest reason that is stored. */
  public static final int MAX_LENGTH = 500;
}

package palmares.api.ops;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request body with only a reason.
 *
 * @param reason the caller's own words, 1 to 500 characters
 */
public record ReasonOrder(@Nullable String reason) {
  /** The longest reason that is stored. */
  public static final int MAX_LENGTH = 500;

  /** Returns a text without blanks around it; empty if it cannot be stored as a reason. */
  public static Optional<String> storable(String text) {
    return Optional.of(text.strip())
        .filter(
            stripped ->
                !stripped.isEmpty()
                    && stripped.length() <= MAX_LENGTH
                    && stripped.indexOf('\0') < 0);
  }
}

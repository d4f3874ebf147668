package palmares.api.ops;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request body with only a reason.
 *
 * @param reason the caller's own words, 1 to 500 characters, none of them a control character but
 *     line feeds, or half of a surrogate pair
 */
public record ReasonRequest(@Nullable String reason) {
  /** The longest reason that is stored, in characters of Unicode. */
  public static final int MAX_LENGTH = 500;

  /**
   * Returns a text without blanks around it, whose lines end with a line feed, as forms end them
   * otherwise; empty if it cannot be stored as a reason.
   */
  public static Optional<String> storable(String text) {
    return Optional.of(text.strip().replace("\r\n", "\n"))
        .filter(
            stripped ->
                !stripped.isEmpty()
                    && stripped.codePointCount(0, stripped.length()) <= MAX_LENGTH
                    && stripped.codePoints().allMatch(ReasonRequest::isStorable));
  }

  private static boolean isStorable(int character) {
    boolean half = Character.getType(character) == Character.SURROGATE;
    return character == '\n' || !half && !Character.isISOControl(character);
  }
}

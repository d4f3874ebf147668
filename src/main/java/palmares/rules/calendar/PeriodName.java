package palmares.rules.calendar;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a period: {@code 2026-11-20}, {@code 2026-W47}, {@code 2026-11}, {@code 2026-Q4},
 * {@code 2026}, {@code all}, {@code 2026-11-20T14}, or a season's own name.
 *
 * @param value 1 to 40 letters, digits, dots, underscores and hyphens, beginning with a letter or
 *     digit
 */
public record PeriodName(String value) {
  private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}");

  /**
   * @throws IllegalArgumentException if the name is malformed
   */
  public PeriodName {
    if (!PATTERN.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "a period's name is 1 to 40 letters, digits, '.', '_' or '-', not '%s'".formatted(value));
    }
  }

  /** The name of a text; empty if the text is none. It need not be that of a period. */
  public static Optional<PeriodName> parse(String text) {
    return PATTERN.matcher(text).matches() ? Optional.of(new PeriodName(text)) : Optional.empty();
  }

  @Override
  public String toString() {
    return value;
  }
}

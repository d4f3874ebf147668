package palmares.bench.page;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with gaps: {@code {name}} is one.
 *
 * @param text with its gaps
 */
record Template(String text) {
  private static final Pattern GAP = Pattern.compile("\\{([a-z-]+)}");

  /**
   * The text, its gaps filled.
   *
   * @throws IllegalArgumentException if one has nothing to be filled with
   */
  String filled(Map<String, String> values) {
    return GAP.matcher(text)
        .replaceAll(
            gap -> {
              String value = values.get(gap.group(1));
              if (value == null) {
                throw new IllegalArgumentException("nothing fills the gap " + gap.group());
              }
              return Matcher.quoteReplacement(value.stripTrailing());
            });
  }
}

package palmares.bench.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with gaps: {@code {name}} is one.
 *
 * @param text with its gaps
 */
record Template(String text) {
  private static final Pattern GAP = Pattern.compile("\\{([a-z-]+)}");

  /** The file of that name beside the board that is measured. */
  static Template of(String file) {
    try (InputStream in = Template.class.getResourceAsStream("/bench/" + file)) {
      byte[] bytes = Objects.requireNonNull(in, file).readAllBytes();
      return new Template(new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

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

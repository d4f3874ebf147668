package palmares.api.document;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes texts of the document of those in Javadoc, where a missing value is null. */
final class Markdown {
  private Markdown() {}

  static String paragraphs(String... texts) {
    return Stream.of(texts).filter(text -> !text.isEmpty()).collect(Collectors.joining("\n\n"));
  }

  /** A sentence of a value. */
  static String ifAbsent(String text, boolean isAbsentIfNull) {
    String said =
        isAbsentIfNull
            ? text.replaceAll("\\bnull or empty for ", "if absent or empty, ")
                .replaceAll("\\bnull for ", "if absent, ")
                .replaceAll("\\bnull (?=if|only|while|except)", "absent ")
            : text;
    return said.substring(0, 1).toUpperCase(Locale.ROOT)
        + said.substring(1)
        + (said.endsWith(".") ? "" : ".");
  }
}

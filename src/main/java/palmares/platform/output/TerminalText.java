package palmares.platform.output;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Escapes control and formatting characters in texts that come from outside. */
public final class TerminalText {
  private TerminalText() {}

  /** The text with each invisible character as {@code \\u001b}. */
  public static String of(String text) {
    if (text.codePoints().noneMatch(TerminalText::isInvisible)) {
      return text;
    }
    var shown = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            point -> {
              if (isInvisible(point)) {
                shown.append(String.format(Locale.ROOT, "\\u%04x", point));
              } else {
                shown.appendCodePoint(point);
              }
            });
    return shown.toString();
  }

  /** The same, but lines stay lines. */
  public static String lines(String text) {
    return Stream.of(text.split("\n", -1)).map(TerminalText::of).collect(Collectors.joining("\n"));
  }

  /** Whether a character is seen by what it does, if at all: it controls, formats or ends lines. */
  public static boolean isInvisible(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}

package palmares.platform.output;

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
                shown.append(String.format("\\u%04x", point));
              } else {
                shown.appendCodePoint(point);
              }
            });
    return shown.toString();
  }

  private static boolean isInvisible(int point) {
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

package palmares.cli.terminal;

/** Text from outside as a terminal may see it: nothing in it moves the cursor or turns the line. */
public final class TerminalText {
  private TerminalText() {}

  /** The text with whatever is not plainly visible spelled as {@code \\u001b}. */
  public static String of(String text) {
    if (text.codePoints().noneMatch(TerminalText::hidden)) {
      return text;
    }
    var shown = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            point -> {
              if (hidden(point)) {
                shown.append(String.format("\\u%04x", point));
              } else {
                shown.appendCodePoint(point);
              }
            });
    return shown.toString();
  }

  private static boolean hidden(int point) {
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

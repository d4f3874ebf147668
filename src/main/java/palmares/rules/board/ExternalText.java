package palmares.rules.board;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import palmares.platform.text.InvalidValue;

/** Validates texts from outside, so that Redis, PostgreSQL and terminals accept them. */
public final class ExternalText {
  private ExternalText() {}

  /**
   * Checks a text.
   *
   * @param what names the text in messages: a word that has a text, as {@code member-id}, or a
   *     field, as {@code 'action'}
   * @param maxBytes in UTF-8
   * @return the text, unchanged
   * @throws InvalidValue if it is empty, too long, or contains a control character, such as NUL, or
   *     a lone surrogate
   */
  public static String require(String what, String text, int maxBytes) {
    if (!text.isEmpty() && text.length() <= maxBytes && isPrintableAscii(text)) {
      return text;
    }
    if (text.isEmpty()) {
      throw new InvalidValue(new ValueSentences.Empty(what));
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidValue(new ValueSentences.Control(what));
    }
    int bytes = utf8Length(what, text);
    if (bytes > maxBytes) {
      throw new InvalidValue(new ValueSentences.TooLong(what, maxBytes, bytes));
    }
    return text;
  }

  /** Whether the text is printable ASCII, with one byte per character. */
  private static boolean isPrintableAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  private static int utf8Length(String what, String text) {
    try {
      return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text)).remaining();
    } catch (CharacterCodingException e) {
      throw new InvalidValue(new ValueSentences.HalfPair(what));
    }
  }
}

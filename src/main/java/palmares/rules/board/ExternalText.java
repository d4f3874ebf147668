package palmares.rules.board;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** What a text from outside must be before Redis, PostgreSQL and a terminal may all see it. */
public final class ExternalText {
  private ExternalText() {}

  /**
   * Checks a text that people or programs gave.
   *
   * @param what names it in the message, as in {@code a member's id}
   * @param mostBytes the longest that it may be, in bytes of UTF-8
   * @return the text, unchanged
   * @throws IllegalArgumentException if it is empty, too long, holds a control character (NUL among
   *     them) or half a surrogate pair
   */
  public static String require(String what, String text, int mostBytes) {
    if (!text.isEmpty() && text.length() <= mostBytes && isPlain(text)) {
      return text;
    }
    if (text.isEmpty()) {
      throw new IllegalArgumentException(what + " must not be empty");
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(what + " must not hold control characters, NUL included");
    }
    int bytes = utf8Length(what, text);
    if (bytes > mostBytes) {
      throw new IllegalArgumentException(
          "%s takes at most %d bytes in UTF-8, this one has %d".formatted(what, mostBytes, bytes));
    }
    return text;
  }

  /** Whether it is printable ASCII: each character takes a byte. */
  private static boolean isPlain(String text) {
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
      throw new IllegalArgumentException(
          what + " holds half of a surrogate pair, which no UTF-8 text can", e);
    }
  }
}

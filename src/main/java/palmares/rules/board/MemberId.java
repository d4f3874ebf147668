package palmares.rules.board;

/**
 * Who is ranked; opaque, compared by its UTF-8 bytes.
 *
 * @param value 1 to 64 bytes in UTF-8, without control characters and lone surrogates
 */
public record MemberId(String value) {
  /** The longest id, in bytes of UTF-8. */
  public static final int MOST_BYTES = 64;

  /**
   * @throws IllegalArgumentException if it is empty, too long, holds a control character (NUL among
   *     them) or half a surrogate pair
   */
  public MemberId {
    ExternalText.require("a member's id", value, MOST_BYTES);
  }

  @Override
  public String toString() {
    return value;
  }
}

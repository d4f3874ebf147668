package palmares.rules.board;

import java.util.Optional;

/**
 * The id of a ranked member, which is opaque and ordered by its UTF-8 bytes.
 *
 * @param value 1 to 64 bytes in UTF-8, without control characters and lone surrogates
 */
public record MemberId(String value) {
  public static final int MAX_BYTES = 64;

  /**
   * @throws IllegalArgumentException if it is empty, too long, or contains a control character or a
   *     lone surrogate
   */
  public MemberId {
    ExternalText.require("member-id", value, MAX_BYTES);
  }

  /** The id of a text; empty if no member can have it. */
  public static Optional<MemberId> parse(String text) {
    try {
      return Optional.of(new MemberId(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return value;
  }
}

package palmares.live.member;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import palmares.rules.board.ExternalText;
import palmares.rules.board.Sha256;

/**
 * An identifier of a member in another system, such as a telephone number. Compared byte by byte,
 * stored as a keyed hash, and shown only masked.
 */
public final class ExternalId {
  /** In UTF-8. */
  public static final int MAX_BYTES = 128;

  private static final int MAX_SHOWN_CHARACTERS = 4;

  private final String value;

  /**
   * @throws IllegalArgumentException if it is empty, too long, or contains a control character or
   *     an unpaired surrogate
   */
  public ExternalId(String value) {
    this.value = ExternalText.require("external-id", value, MAX_BYTES);
  }

  /** Computes a keyed hash, as 64 hexadecimal digits. */
  String hash(byte[] key) {
    return HexFormat.of()
        .formatHex(Sha256.mac(key).doFinal(value.getBytes(StandardCharsets.UTF_8)));
  }

  /** Shows its last characters, at most a quarter of it, so that its owner recognizes it. */
  String mask() {
    int[] characters = value.codePoints().toArray();
    int shown = Math.min(MAX_SHOWN_CHARACTERS, characters.length / 4);
    return "***" + new String(characters, characters.length - shown, shown);
  }

  /** Returns the mask, so that logs and messages never contain the whole id. */
  @Override
  public String toString() {
    return mask();
  }
}

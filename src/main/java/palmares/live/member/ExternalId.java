package palmares.live.member;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import palmares.rules.board.ExternalText;

/**
 * What a member is known by elsewhere, such as a telephone number; compared byte by byte. Nobody is
 * ever shown one in full.
 */
public final class ExternalId {
  /** The longest, in bytes of UTF-8. */
  public static final int MOST_BYTES = 128;

  private static final String HMAC = "HmacSHA256";
  private static final int MOST_SHOWN = 4;

  private final String value;

  /**
   * @throws IllegalArgumentException if it is empty, too long, holds a control character or half a
   *     surrogate pair
   */
  public ExternalId(String value) {
    this.value = ExternalText.require("an external id", value, MOST_BYTES);
  }

  /** A keyed hash, as 64 hexadecimal digits. */
  String hash(byte[] key) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return HexFormat.of().formatHex(mac.doFinal(value.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has " + HMAC, e);
    }
  }

  /** Its end, a quarter of it at the most, so that its owner knows it again. */
  String mask() {
    int[] letters = value.codePoints().toArray();
    int shown = Math.min(MOST_SHOWN, letters.length / 4);
    return "***" + new String(letters, letters.length - shown, shown);
  }

  /** The mask: whoever writes it into a log or a message shows no more. */
  @Override
  public String toString() {
    return mask();
  }
}

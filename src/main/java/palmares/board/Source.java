package palmares.board;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The text that a board was read from: what a period closes under is this, whatever becomes of the
 * file.
 *
 * @param text the whole file
 * @param hash SHA-256 of its UTF-8 bytes, 64 hexadecimal digits
 */
public record Source(String text, String hash) {

  public static Source of(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return new Source(text, HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}

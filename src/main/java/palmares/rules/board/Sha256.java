package palmares.rules.board;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The one digest. */
public final class Sha256 {
  /** Nothing digested so far: copying it costs less than asking the providers for another. */
  private static final MessageDigest EMPTY = create();

  private Sha256() {}

  /** Of the text's UTF-8 bytes, as 64 hexadecimal digits. */
  public static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** As 64 hexadecimal digits. */
  public static String of(byte[] bytes) {
    return HexFormat.of().formatHex(copy().digest(bytes));
  }

  private static MessageDigest copy() {
    try {
      return (MessageDigest) EMPTY.clone();
    } catch (CloneNotSupportedException e) {
      return create();
    }
  }

  private static MessageDigest create() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}

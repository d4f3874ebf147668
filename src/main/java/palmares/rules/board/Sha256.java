package palmares.rules.board;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Computes SHA-256 as hexadecimal texts, and HMACs with it. */
public final class Sha256 {
  /** Cloned for each use, which is faster than a look-up of the provider. */
  private static final MessageDigest PROTOTYPE = create();

  private static final String HMAC = "HmacSHA256";

  private Sha256() {}

  /** Digests the text's UTF-8 bytes; returns 64 hexadecimal digits. */
  public static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns 64 hexadecimal digits. */
  public static String of(byte[] bytes) {
    return HexFormat.of().formatHex(copy().digest(bytes));
  }

  /** Returns what computes keyed hashes. Not thread-safe. */
  public static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has " + HMAC, e);
    }
  }

  private static MessageDigest copy() {
    try {
      return (MessageDigest) PROTOTYPE.clone();
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

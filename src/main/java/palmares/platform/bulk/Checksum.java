package palmares.platform.bulk;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Sums the first eight bytes of the SHA-256 of texts, as the SQL function first_of_sha256 does. The
 * sum does not depend on the order of the texts.
 */
public final class Checksum {
  private static final int HALF_BITS = 32;
  private static final long LOW_MASK = 0xffff_ffffL;

  private final MessageDigest digest;
  private final StringBuilder text = new StringBuilder();
  private long high;
  private long low;

  public Checksum() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Appends a number and a separator to the text. */
  public Checksum and(long number) {
    text.append(number).append('|');
    return this;
  }

  /** Appends a dash, for a number that is missing, and a separator to the text. */
  public Checksum andNone() {
    text.append("-|");
    return this;
  }

  /** Appends a word, which completes the text, and adds the text to the sum. */
  public void end(String word) {
    text.append(word);
    byte[] hash = digest.digest(text.toString().getBytes(StandardCharsets.UTF_8));
    text.setLength(0);
    long first = ByteBuffer.wrap(hash).getLong();
    high += first >> HALF_BITS;
    low += first & LOW_MASK;
  }

  public BigInteger sum() {
    return BigInteger.valueOf(high).shiftLeft(HALF_BITS).add(BigInteger.valueOf(low));
  }
}

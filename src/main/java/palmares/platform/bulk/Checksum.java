package palmares.platform.bulk;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Adds up the first eight bytes of the SHA-256 of texts, as the SQL function first_of_sha256 takes
 * them: a sum that depends on no order.
 */
public final class Checksum {
  private static final int HALF = 32;
  private static final long LOW = 0xffff_ffffL;

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

  /** Adds a number to the text, and what parts it from the next. */
  public Checksum and(long number) {
    text.append(number).append('|');
    return this;
  }

  /** Ends the text with a word, and adds it to the sum. */
  public void end(String word) {
    text.append(word);
    byte[] hash = digest.digest(text.toString().getBytes(StandardCharsets.UTF_8));
    text.setLength(0);
    long first = ByteBuffer.wrap(hash).getLong();
    high += first >> HALF;
    low += first & LOW;
  }

  public BigInteger sum() {
    return BigInteger.valueOf(high).shiftLeft(HALF).add(BigInteger.valueOf(low));
  }
}

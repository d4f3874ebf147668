package palmares.platform.bulk;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Sums the first eight bytes of the SHA-256 of rows, as the SQL function first_of_sha256 does. A
 * row is numbers of eight bytes and a word. The sum does not depend on the order of the rows.
 */
public final class Checksum {
  private static final int MAX_NUMBERS = 8;

  private final MessageDigest digest;
  private final ByteBuffer numbers = ByteBuffer.allocate(MAX_NUMBERS * Long.BYTES);
  private final ExactSum sum = new ExactSum();

  public Checksum() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Appends a number, of which a row has at most {@value #MAX_NUMBERS}. */
  public Checksum and(long number) {
    numbers.putLong(number);
    return this;
  }

  /** Appends two numbers, neither of them negative, as one. */
  public Checksum and(int high, int low) {
    return and(((long) high << Integer.SIZE) | low);
  }

  /**
   * Appends a word, which completes the row, and adds the row to the sum.
   *
   * @param word in UTF-8
   */
  public void end(byte[] word) {
    digest.update(numbers.array(), 0, numbers.position());
    numbers.clear();
    sum.add(ByteBuffer.wrap(digest.digest(word)).getLong());
  }

  public BigInteger sum() {
    return sum.sum();
  }
}

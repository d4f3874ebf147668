package palmares.platform.bulk;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Sums the first eight bytes of the SHA-256 of texts, as the SQL function first_of_sha256 does. The
 * sum does not depend on the order of the texts.
 */
public final class Checksum {
  private static final int INITIAL_BYTES = 256;
  private static final int MAX_DIGITS = 20;
  private static final int BASE = 10;

  private final MessageDigest digest;
  private byte[] text = new byte[INITIAL_BYTES];
  private int length;
  private final ExactSum sum = new ExactSum();

  public Checksum() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Appends a number and a separator to the text. */
  public Checksum and(long number) {
    reserve(MAX_DIGITS + 1);
    // Negative numbers reach one further than positive ones.
    long rest = number > 0 ? -number : number;
    int end = length + (number < 0 ? 1 : 0) + digits(rest);
    int at = end;
    do {
      text[--at] = (byte) ('0' - rest % BASE);
      rest /= BASE;
    } while (rest != 0);
    if (number < 0) {
      text[length] = '-';
    }
    text[end] = '|';
    length = end + 1;
    return this;
  }

  private static int digits(long negative) {
    int digits = 1;
    for (long rest = negative / BASE; rest != 0; rest /= BASE) {
      digits++;
    }
    return digits;
  }

  private void reserve(int bytes) {
    if (length + bytes > text.length) {
      text = Arrays.copyOf(text, 2 * (length + bytes));
    }
  }

  /**
   * Appends a word, which completes the text, and adds the text to the sum.
   *
   * @param word in UTF-8
   */
  public void end(byte[] word) {
    reserve(word.length);
    System.arraycopy(word, 0, text, length, word.length);
    digest.update(text, 0, length + word.length);
    byte[] hash = digest.digest();
    length = 0;
    sum.add(ByteBuffer.wrap(hash).getLong());
  }

  public BigInteger sum() {
    return sum.sum();
  }
}

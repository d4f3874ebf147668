package palmares.platform.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A checksum is the sum of the first eight bytes of each row's SHA-256. */
class ChecksumTest {
  private static final long[] NUMBERS = {0, 7, -7, Long.MAX_VALUE, Long.MIN_VALUE};
  private static final List<String> WORDS = List.of("", "ann", "sorø|émile", "x".repeat(1_000));

  @Test
  void aRowIsItsNumbersAndItsWord() throws NoSuchAlgorithmException {
    var checksum = new Checksum();
    BigInteger expected = BigInteger.ZERO;
    for (String word : WORDS) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      LongStream.of(NUMBERS).forEach(checksum::and);
      checksum.and(1, 2).end(bytes);
      var row = ByteBuffer.allocate((NUMBERS.length + 1) * Long.BYTES + bytes.length);
      LongStream.of(NUMBERS).forEach(row::putLong);
      row.putInt(1).putInt(2).put(bytes);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(row.array());
      expected = expected.add(BigInteger.valueOf(ByteBuffer.wrap(hash).getLong()));
    }
    assertThat(checksum.sum()).isEqualTo(expected);
  }

  @Test
  void aSumIsExactBeyondALong() {
    var sum = new ExactSum();
    sum.add(Long.MAX_VALUE);
    sum.add(Long.MAX_VALUE);
    sum.add(-1);
    assertThat(sum.sum())
        .isEqualTo(BigInteger.valueOf(Long.MAX_VALUE).shiftLeft(1).subtract(BigInteger.ONE));
    sum.add(Long.MIN_VALUE);
    sum.add(Long.MIN_VALUE);
    assertThat(sum.sum()).isEqualTo(BigInteger.valueOf(-3));
  }
}

package palmares.platform.bulk;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows into blocks for binary COPY. PostgreSQL's documentation of COPY defines the format
 * under "Binary Format".
 */
public final class BinaryRows {
  private static final int BLOCK_BYTES = 1 << 16;
  private static final long MICROS_PER_SECOND = 1_000_000;

  /** PostgreSQL's epoch, 2000-01-01, in microseconds since 1970. */
  private static final long POSTGRES_EPOCH_MICROS = 946_684_800L * MICROS_PER_SECOND;

  private final int fields;
  private final Consumer<byte[]> sink;
  private byte[] block = new byte[BLOCK_BYTES];
  private int length;
  private long rows;

  /**
   * @param fields number of fields of each row
   * @param sink receives each block when it is full, and the last one at {@link #finish}
   */
  public BinaryRows(int fields, Consumer<byte[]> sink) {
    this.fields = fields;
    this.sink = sink;
  }

  /** Starts a row, after which the stated number of fields must follow. */
  public BinaryRows row() {
    if (length > BLOCK_BYTES / 2) {
      flush();
    }
    rows++;
    return bytes(fields, Short.BYTES);
  }

  public BinaryRows int2(int value) {
    return bytes(Short.BYTES, Integer.BYTES).bytes(value, Short.BYTES);
  }

  public BinaryRows int4(@Nullable Integer value) {
    return value == null
        ? absent()
        : bytes(Integer.BYTES, Integer.BYTES).bytes(value, Integer.BYTES);
  }

  public BinaryRows int8(long value) {
    return bytes(Long.BYTES, Integer.BYTES).bytes(value, Long.BYTES);
  }

  /** Stores zero as null, which takes no space. */
  public BinaryRows int8OrNone(long value) {
    return value == 0 ? absent() : int8(value);
  }

  public BinaryRows time(@Nullable Instant time) {
    return time == null ? absent() : int8(postgresMicros(time));
  }

  /** A text of at most 16 KB. */
  public BinaryRows text(String text) {
    return text(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A text of at most 16 KB, in UTF-8. */
  public BinaryRows text(byte[] encoded) {
    bytes(encoded.length, Integer.BYTES);
    if (length + encoded.length > block.length) {
      block = Arrays.copyOf(block, block.length + encoded.length);
    }
    System.arraycopy(encoded, 0, block, length, encoded.length);
    length += encoded.length;
    return this;
  }

  private BinaryRows absent() {
    return bytes(-1, Integer.BYTES);
  }

  private BinaryRows bytes(long value, int width) {
    for (int shift = (width - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      block[length++] = (byte) (value >> shift);
    }
    return this;
  }

  /** Microseconds since 2000, as PostgreSQL sends and receives a time. */
  public static long postgresMicros(Instant time) {
    return micros(time) - POSTGRES_EPOCH_MICROS;
  }

  /** Microseconds since 1970. */
  public static long micros(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), MICROS_PER_SECOND), time.getNano() / 1_000);
  }

  /** Passes on the last block, and returns the number of rows. */
  public long finish() {
    flush();
    return rows;
  }

  private void flush() {
    if (length > 0) {
      sink.accept(Arrays.copyOf(block, length));
      length = 0;
    }
  }
}

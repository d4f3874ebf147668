package palmares.platform.bulk;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows for binary COPY into blocks of bytes. Source of the format: PostgreSQL's
 * documentation of COPY, "Binary Format".
 */
public final class BinaryRows {
  private static final int BLOCK = 1 << 16;
  private static final long MICROS_PER_SECOND = 1_000_000;

  /** PostgreSQL counts from 2000-01-01. */
  private static final long EPOCH = 946_684_800L * MICROS_PER_SECOND;

  private final int fields;
  private final Consumer<byte[]> sink;
  private byte[] block = new byte[BLOCK];
  private int length;
  private long rows;

  /**
   * @param fields of each row
   * @param sink takes each block as soon as it is full, and the last at {@link #finish}
   */
  public BinaryRows(int fields, Consumer<byte[]> sink) {
    this.fields = fields;
    this.sink = sink;
  }

  /** Begins a row; as many fields follow as were stated. */
  public BinaryRows row() {
    if (length > BLOCK / 2) {
      flush();
    }
    rows++;
    return bytes(fields, Short.BYTES);
  }

  public BinaryRows int2(int value) {
    return bytes(Short.BYTES, Integer.BYTES).bytes(value, Short.BYTES);
  }

  public BinaryRows int4(@Nullable Integer value) {
    return value == null ? none() : bytes(Integer.BYTES, Integer.BYTES).bytes(value, Integer.BYTES);
  }

  public BinaryRows int8(long value) {
    return bytes(Long.BYTES, Integer.BYTES).bytes(value, Long.BYTES);
  }

  /** Zero is stored as null, which takes no room. */
  public BinaryRows int8OrNone(long value) {
    return value == 0 ? none() : int8(value);
  }

  public BinaryRows time(@Nullable Instant time) {
    return time == null ? none() : int8(micros(time) - EPOCH);
  }

  /** At most 16 KB long. */
  public BinaryRows text(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    bytes(encoded.length, Integer.BYTES);
    if (length + encoded.length > block.length) {
      block = Arrays.copyOf(block, block.length + encoded.length);
    }
    System.arraycopy(encoded, 0, block, length, encoded.length);
    length += encoded.length;
    return this;
  }

  private BinaryRows none() {
    return bytes(-1, Integer.BYTES);
  }

  private BinaryRows bytes(long value, int width) {
    for (int shift = (width - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      block[length++] = (byte) (value >> shift);
    }
    return this;
  }

  /** Microseconds since 1970. */
  public static long micros(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), MICROS_PER_SECOND), time.getNano() / 1_000);
  }

  /** Gives away the last block; answers how many rows there were. */
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

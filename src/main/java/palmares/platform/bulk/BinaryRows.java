package palmares.platform.bulk;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import palmares.platform.time.Microseconds;

/**
 * Encodes rows into blocks for binary COPY. PostgreSQL's documentation of COPY defines the format
 * under "Binary Format".
 */
public final class BinaryRows {
  private static final int BLOCK_BYTES = 1 << 16;

  /** More than all fields of a row that are no texts. */
  private static final int FIXED_BYTES = 512;

  /** PostgreSQL's epoch, 2000-01-01, in microseconds since 1970. */
  private static final long POSTGRES_EPOCH_MICROS = 946_684_800_000_000L;

  private final int fields;
  private final Consumer<byte[]> sink;
  private ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
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
    if (block.position() > BLOCK_BYTES / 2) {
      flush();
    }
    rows++;
    block.putShort((short) fields);
    return this;
  }

  public BinaryRows int2(int value) {
    block.putInt(Short.BYTES).putShort((short) value);
    return this;
  }

  public BinaryRows int4(@Nullable Integer value) {
    if (value == null) {
      return absent();
    }
    block.putInt(Integer.BYTES).putInt(value);
    return this;
  }

  public BinaryRows int8(long value) {
    block.putInt(Long.BYTES).putLong(value);
    return this;
  }

  public BinaryRows int8OrNull(@Nullable Long value) {
    return value == null ? absent() : int8(value);
  }

  /** Stores zero as null, which takes no space. */
  public BinaryRows int8OrNone(long value) {
    return value == 0 ? absent() : int8(value);
  }

  public BinaryRows time(@Nullable Instant time) {
    return time == null ? absent() : int8(postgresMicros(time));
  }

  public BinaryRows text(@Nullable String text) {
    return text == null ? absent() : text(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A text in UTF-8. */
  public BinaryRows text(byte[] encoded) {
    if (encoded.length + FIXED_BYTES > block.remaining()) {
      int capacity = block.capacity() + encoded.length + FIXED_BYTES;
      block = ByteBuffer.allocate(capacity).put(block.flip());
    }
    block.putInt(encoded.length).put(encoded);
    return this;
  }

  private BinaryRows absent() {
    block.putInt(-1);
    return this;
  }

  /** Microseconds since 2000, as PostgreSQL sends and receives a time. */
  public static long postgresMicros(Instant time) {
    return Microseconds.micros(time) - POSTGRES_EPOCH_MICROS;
  }

  /** Passes on the last block, and returns the number of rows. */
  public long finish() {
    flush();
    return rows;
  }

  private void flush() {
    if (block.position() > 0) {
      sink.accept(Arrays.copyOf(block.array(), block.position()));
      block.clear();
    }
  }
}

package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Encodes a sequence of values in MessagePack, which Lua scripts decode in one call. */
final class MessagePack {
  private static final int FIXED_ARRAY = 0x90;
  private static final int MAX_FIXED_ARRAY = 15;
  private static final int FALSE = 0xC2;
  private static final int INT_64 = 0xD3;
  private static final int STR_8 = 0xD9;
  private static final int STR_16 = 0xDA;
  private static final int FIXED_STR = 0xA0;
  private static final int MAX_FIXED_INT = 0x7F;
  private static final int MAX_FIXED_STR = 31;
  private static final int MAX_STR_8 = 0xFF;
  private static final int MAX_STR_16 = 0xFFFF;

  private static final int MAX_HEAD_BYTES = 9;

  private byte[] out = new byte[256];
  private int length;

  /** Writes a text of at most 65,535 bytes of UTF-8, or false for null. */
  MessagePack text(@Nullable String text) {
    if (text == null) {
      ensureRoom(MAX_HEAD_BYTES);
      add(FALSE);
      return this;
    }
    byte[] bytes = text.getBytes(UTF_8);
    ensureRoom(MAX_HEAD_BYTES + bytes.length);
    if (bytes.length <= MAX_FIXED_STR) {
      add(FIXED_STR | bytes.length);
    } else if (bytes.length <= MAX_STR_8) {
      add(STR_8);
      add(bytes.length);
    } else if (bytes.length <= MAX_STR_16) {
      add(STR_16);
      add(bytes.length >> 8);
      add(bytes.length);
    } else {
      throw new IllegalArgumentException("a text of " + bytes.length + " bytes is too long");
    }
    System.arraycopy(bytes, 0, out, length, bytes.length);
    length += bytes.length;
    return this;
  }

  /** Writes a whole number, or false for null. */
  MessagePack number(@Nullable Long number) {
    ensureRoom(MAX_HEAD_BYTES);
    if (number == null) {
      add(FALSE);
    } else if (number >= 0 && number <= MAX_FIXED_INT) {
      add(number.intValue());
    } else {
      add(INT_64);
      for (int shift = 56; shift >= 0; shift -= 8) {
        add((int) (number >> shift));
      }
    }
    return this;
  }

  /** Begins an array of at most 15 values; the caller writes them next. */
  MessagePack array(int values) {
    if (values > MAX_FIXED_ARRAY) {
      throw new IllegalArgumentException("an array of " + values + " values is too long");
    }
    ensureRoom(MAX_HEAD_BYTES);
    add(FIXED_ARRAY | values);
    return this;
  }

  /** Appends values that are encoded already. */
  MessagePack append(byte[] values) {
    ensureRoom(values.length);
    System.arraycopy(values, 0, out, length, values.length);
    length += values.length;
    return this;
  }

  private void ensureRoom(int more) {
    if (length + more > out.length) {
      out = Arrays.copyOf(out, 2 * (length + more));
    }
  }

  private void add(int value) {
    out[length] = (byte) value;
    length++;
  }

  byte[] bytes() {
    return Arrays.copyOf(out, length);
  }
}

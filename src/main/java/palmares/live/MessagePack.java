package palmares.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Writes values one after the other in MessagePack, which scripts read in one call. */
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

  private final ByteArrayOutputStream out = new ByteArrayOutputStream(192);

  /** Writes a text of at most 65,535 bytes of UTF-8, or false for null. */
  MessagePack text(@Nullable String text) {
    if (text == null) {
      out.write(FALSE);
      return this;
    }
    byte[] bytes = text.getBytes(UTF_8);
    if (bytes.length <= MAX_FIXED_STR) {
      out.write(FIXED_STR | bytes.length);
    } else if (bytes.length <= MAX_STR_8) {
      out.write(STR_8);
      out.write(bytes.length);
    } else if (bytes.length <= MAX_STR_16) {
      out.write(STR_16);
      out.write(bytes.length >> 8);
      out.write(bytes.length);
    } else {
      throw new IllegalArgumentException("a text of " + bytes.length + " bytes is too long");
    }
    out.writeBytes(bytes);
    return this;
  }

  /** Writes a whole number, or false for null. */
  MessagePack number(@Nullable Long number) {
    if (number == null) {
      out.write(FALSE);
    } else if (number >= 0 && number <= MAX_FIXED_INT) {
      out.write(number.intValue());
    } else {
      out.write(INT_64);
      for (int shift = 56; shift >= 0; shift -= 8) {
        out.write((int) (number >> shift));
      }
    }
    return this;
  }

  /** Begins an array of at most 15 values, which are written next. */
  MessagePack array(int length) {
    if (length > MAX_FIXED_ARRAY) {
      throw new IllegalArgumentException("an array of " + length + " values is too long");
    }
    out.write(FIXED_ARRAY | length);
    return this;
  }

  byte[] bytes() {
    return out.toByteArray();
  }
}

package palmares.live.history;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Lines of bytes with their numbers; blank ones are counted and passed over. */
final class LineReader {
  /** A longer line is no event; no more of it is held in memory. */
  static final int MOST_BYTES = 64 << 10;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final InputStream in;
  private final byte[] buffer = new byte[64 << 10];
  private int at;
  private int end;
  private long number;

  LineReader(InputStream in) {
    this.in = in;
  }

  /**
   * @param text without its end; the first bytes of it if it is too long
   */
  record Line(long number, byte[] text, boolean tooLong) {}

  /** How many lines have been read. */
  long number() {
    return number;
  }

  /** The next line that is not blank; null at the end. */
  @Nullable Line next() throws IOException {
    Line line = read();
    while (line != null && blank(line.text())) {
      line = read();
    }
    return line;
  }

  private @Nullable Line read() throws IOException {
    int next = nextByte();
    if (next < 0) {
      return null;
    }
    var text = new ByteArrayOutputStream(256);
    boolean tooLong = false;
    while (next >= 0 && next != '\n') {
      if (text.size() < MOST_BYTES) {
        text.write(next);
      } else {
        tooLong = true;
      }
      next = nextByte();
    }
    number++;
    return new Line(
        number, number == 1 ? unmarked(text.toByteArray()) : text.toByteArray(), tooLong);
  }

  private int nextByte() throws IOException {
    if (at == end) {
      at = 0;
      end = Math.max(0, in.read(buffer));
      if (end == 0) {
        return -1;
      }
    }
    return buffer[at++] & 0xff;
  }

  /** Some editors put a mark in front of the first line. */
  private static byte[] unmarked(byte[] text) {
    int mark = BYTE_ORDER_MARK.length;
    return text.length >= mark && Arrays.equals(text, 0, mark, BYTE_ORDER_MARK, 0, mark)
        ? Arrays.copyOfRange(text, mark, text.length)
        : text;
  }

  private static boolean blank(byte[] text) {
    for (byte letter : text) {
      if (letter < 0 || letter > ' ') {
        return false;
      }
    }
    return true;
  }
}

package palmares.live.history;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads numbered lines. Blank lines are counted but skipped. */
final class LineReader {
  /** Longer lines are cut, so that memory stays bounded. */
  static final int MAX_BYTES = 64 << 10;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final InputStream in;
  private final byte[] buffer = new byte[64 << 10];
  private int at;
  private int end;
  private long number;

  /**
   * @param first the number of the first line
   */
  LineReader(InputStream in, long first) {
    this.in = in;
    number = first - 1;
  }

  /**
   * @param text without its line feed; only the first bytes if the line is too long
   */
  record Line(long number, byte[] text, boolean tooLong) {}

  long number() {
    return number;
  }

  /** Returns the next line that is not blank; null at the end. */
  @Nullable Line next() throws IOException {
    Line line = read();
    while (line != null && isBlank(line.text())) {
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
      if (text.size() < MAX_BYTES) {
        text.write(next);
      } else {
        tooLong = true;
      }
      next = nextByte();
    }
    number++;
    return new Line(
        number,
        number == 1 ? withoutByteOrderMark(text.toByteArray()) : text.toByteArray(),
        tooLong);
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

  private static byte[] withoutByteOrderMark(byte[] text) {
    int mark = BYTE_ORDER_MARK.length;
    return text.length >= mark && Arrays.equals(text, 0, mark, BYTE_ORDER_MARK, 0, mark)
        ? Arrays.copyOfRange(text, mark, text.length)
        : text;
  }

  private static boolean isBlank(byte[] text) {
    for (byte each : text) {
      if (each < 0 || each > ' ') {
        return false;
      }
    }
    return true;
  }
}

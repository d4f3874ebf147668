package palmares.writer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The lines of a body, without their ends; empty ones are left out. */
final class Lines {
  private Lines() {}

  static List<byte[]> of(byte[] text) {
    var lines = new ArrayList<byte[]>();
    int start = 0;
    for (int i = 0; i <= text.length; i++) {
      if (i == text.length || text[i] == '\n') {
        int end = i > start && text[i - 1] == '\r' ? i - 1 : i;
        if (end > start) {
          lines.add(Arrays.copyOfRange(text, start, end));
        }
        start = i + 1;
      }
    }
    return lines;
  }
}

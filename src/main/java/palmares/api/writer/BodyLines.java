package palmares.api.writer;

import java.util.Arrays;
import java.util.function.Consumer;

/** The lines of a body, without their ends; empty ones are left out. */
final class BodyLines {
  private BodyLines() {}

  /**
   * Passes each line on before the next one is cut.
   *
   * @param each may throw, which ends the reading
   */
  static void of(byte[] text, Consumer<byte[]> each) {
    int start = 0;
    for (int i = 0; i <= text.length; i++) {
      if (i == text.length || text[i] == '\n') {
        int end = i > start && text[i - 1] == '\r' ? i - 1 : i;
        if (end > start) {
          each.accept(Arrays.copyOfRange(text, start, end));
        }
        start = i + 1;
      }
    }
  }
}

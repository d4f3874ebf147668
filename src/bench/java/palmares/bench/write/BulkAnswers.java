package palmares.bench.write;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The answers of Redis to a pipeline of commands that answer with a text each. */
final class BulkAnswers implements Answer {
  /** Its length, and the text. */
  private static final int LINES_PER_ANSWER = 2;

  private int missing;
  private boolean lineBegins = true;

  @Override
  public void begin(int events) {
    missing = events * LINES_PER_ANSWER;
  }

  @Override
  public boolean take(ByteBuffer in) throws IOException {
    while (in.hasRemaining()) {
      byte next = in.get();
      if (lineBegins && next == '-') {
        var error = new byte[in.remaining()];
        in.get(error);
        throw new IOException("Redis answered: " + new String(error, ISO_8859_1));
      }
      lineBegins = next == '\n';
      missing -= lineBegins ? 1 : 0;
    }
    return missing == 0;
  }
}

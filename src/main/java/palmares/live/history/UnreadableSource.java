package palmares.live.history;

import java.io.IOException;

/** Reports that a source cannot be read to its end; the lines before that were imported. */
public final class UnreadableSource extends IOException {
  UnreadableSource(String source, long line, IOException cause) {
    super("%s cannot be read after line %d: %s".formatted(source, line, cause.getMessage()), cause);
  }
}

package palmares.live.history;

import java.io.IOException;

/** A source that cannot be read to its end; what came before the break was taken. */
public final class UnreadableSource extends IOException {
  private static final long serialVersionUID = 1L;

  UnreadableSource(String source, long line, IOException cause) {
    super("%s cannot be read past line %d: %s".formatted(source, line, cause.getMessage()), cause);
  }
}

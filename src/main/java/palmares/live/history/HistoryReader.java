package palmares.live.history;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import palmares.live.history.HistorySource.RawInput;
import palmares.live.history.LineReader.Line;
import palmares.platform.text.Saying;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Reads sources in their order, in batches of whole lines for a server to take. */
public final class HistoryReader {
  private static final int BATCH_LINES = 1_000;
  private static final int BATCH_BYTES = 1 << 20;

  private final Target target;
  private long bytesBefore;

  public HistoryReader(Target target) {
    this.target = target;
  }

  /** Takes what is read. */
  public interface Target {
    /**
     * Takes a batch.
     *
     * @param first the number of its first line in the source
     */
    void take(String source, long first, byte[] lines);

    /**
     * Called after each batch.
     *
     * @param bytes read so far from all sources, before decompression
     */
    void taken(long bytes);
  }

  /**
   * Reads every line of every source.
   *
   * @throws UnreadableSource if a source cannot be read to its end
   */
  public void read(List<HistorySource> sources) throws UnreadableSource {
    for (HistorySource source : sources) {
      read(source);
    }
  }

  private void read(HistorySource source) throws UnreadableSource {
    long line = 0;
    try (RawInput raw = source.open()) {
      var lines = new LineReader(raw.text(), 1);
      try {
        while (readBatch(source, lines)) {
          target.taken(bytesBefore + raw.count());
        }
      } finally {
        line = lines.number();
      }
      bytesBefore += raw.count();
    } catch (IOException e) {
      throw new UnreadableSource(source.name(), line, e);
    }
  }

  /** Lines before a read error count; blank ones keep the numbers of the others. */
  private boolean readBatch(HistorySource source, LineReader lines) throws IOException {
    var batch = new ByteArrayOutputStream();
    long first = 0;
    long next = 0;
    try {
      for (int count = 0; count < BATCH_LINES && batch.size() < BATCH_BYTES; count++) {
        Line line = lines.next();
        if (line == null) {
          break;
        }
        first = first == 0 ? line.number() : first;
        for (next = Math.max(next, first); next < line.number(); next++) {
          batch.write('\n');
        }
        batch.writeBytes(line.text());
        if (line.tooLong()) {
          batch.write('.'); // so that it is too long for the server, too
        }
      }
    } finally {
      if (first > 0) {
        target.take(source.name(), first, batch.toByteArray());
      }
    }
    return first > 0;
  }

  /** Reports that a source cannot be read to its end; the lines before that were imported. */
  public static final class UnreadableSource extends IOException implements Saying {
    private final transient Sentence said;

    UnreadableSource(String source, long line, IOException cause) {
      super(null, cause);
      said = new HistorySentences.Unreadable(source, line, String.valueOf(cause.getMessage()));
    }

    @Override
    public Sentence said() {
      return said;
    }

    @Override
    public String getMessage() {
      return Texts.english(said);
    }
  }
}

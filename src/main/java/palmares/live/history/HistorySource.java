package palmares.live.history;

import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import palmares.platform.text.Sentence;

/** A file or stream with a history, plain or compressed with gzip. */
public final class HistorySource {
  private final String name;
  private final Opener opener;
  private final Optional<Path> file;

  private HistorySource(String name, Opener opener, Optional<Path> file) {
    this.name = name;
    this.opener = opener;
    this.file = file;
  }

  @FunctionalInterface
  private interface Opener {
    InputStream open() throws IOException;
  }

  public static HistorySource of(Path file) {
    // Streams of Files.newInputStream fail on available() of a named pipe.
    return new HistorySource(
        file.toString(), () -> new FileInputStream(file.toFile()), Optional.of(file));
  }

  /**
   * @param name used in messages
   */
  public static HistorySource of(String name, InputStream stream) {
    return new HistorySource(name, () -> stream, Optional.empty());
  }

  public String name() {
    return name;
  }

  /** Says why the source cannot be read, without reading it; empty if nothing is wrong. */
  public Optional<Sentence> fault() {
    return file.flatMap(
        path -> {
          if (!Files.exists(path)) {
            return Optional.of(new HistorySentences.NoFile(name));
          }
          if (Files.isDirectory(path)) {
            return Optional.of(new HistorySentences.IsFolder(name));
          }
          return Files.isReadable(path)
              ? Optional.empty()
              : Optional.of(
                  new HistorySentences.NoPermission(name, System.getProperty("user.name")));
        });
  }

  /** Returns its size on disk in bytes; empty if unknown. */
  public Optional<Long> size() {
    return file.filter(Files::isRegularFile)
        .map(
            path -> {
              try {
                return Files.size(path);
              } catch (IOException e) {
                return null; // The file was deleted; opening it will report that.
              }
            });
  }

  RawInput open() throws IOException {
    return new RawInput(opener.open());
  }

  /** Counts the bytes read from a source; {@link #text} decompresses them. */
  static final class RawInput extends FilterInputStream {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final byte[] GZIP_MAGIC = {0x1f, (byte) 0x8b};

    private long count;

    /** The bytes read when a member of an archive had ended. */
    private long countAtMemberEnd = Long.MAX_VALUE;

    RawInput(InputStream in) {
      super(new BufferedInputStream(in, BUFFER_BYTES));
    }

    InputStream text() throws IOException {
      in.mark(GZIP_MAGIC.length);
      byte[] first = in.readNBytes(GZIP_MAGIC.length);
      in.reset();
      boolean compressed =
          first.length == 2 && first[0] == GZIP_MAGIC[0] && first[1] == GZIP_MAGIC[1];
      return compressed ? new WholeArchive(this) : this;
    }

    /** Returns the number of bytes read, before decompression. */
    long count() {
      return count;
    }

    @Override
    public int read() throws IOException {
      int next = in.read();
      count += next < 0 ? 0 : 1;
      return next;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int got = in.read(bytes, from, length);
      count += Math.max(0, got);
      return got;
    }

    /**
     * Returns zero only at the end. GZIPInputStream takes zero for the end of the archive, so a
     * slow pipe would otherwise lose all but the first member. It asks after each member.
     */
    @Override
    public int available() throws IOException {
      countAtMemberEnd = count;
      in.mark(1);
      int next = in.read();
      in.reset();
      return next < 0 ? 0 : in.available();
    }

    @Override
    public boolean markSupported() {
      return false;
    }
  }

  /** An archive whose every byte is used: a torn header is no end, as for GZIPInputStream. */
  private static final class WholeArchive extends GZIPInputStream {
    private static final int TRAILER_BYTES = 8;

    private final RawInput raw;

    WholeArchive(RawInput raw) throws IOException {
      super(raw, RawInput.BUFFER_BYTES);
      this.raw = raw;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int got = super.read(bytes, from, length);
      if (got < 0 && hasMore()) {
        throw new ZipException("what follows its last whole member is not gzip: it may be torn");
      }
      return got;
    }

    private boolean hasMore() throws IOException {
      return inf.getRemaining() > TRAILER_BYTES
          || raw.count > raw.countAtMemberEnd
          || raw.read() >= 0;
    }
  }
}

package palmares.live.history;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Counts the bytes read from a source; {@link #text} decompresses them. */
final class RawInput extends FilterInputStream {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final byte[] GZIP_MAGIC = {0x1f, (byte) 0x8b};

  private long count;

  RawInput(InputStream in) {
    super(new BufferedInputStream(in, BUFFER_BYTES));
  }

  /** Returns the decompressed text. */
  InputStream text() throws IOException {
    in.mark(GZIP_MAGIC.length);
    byte[] first = in.readNBytes(GZIP_MAGIC.length);
    in.reset();
    boolean compressed =
        first.length == 2 && first[0] == GZIP_MAGIC[0] && first[1] == GZIP_MAGIC[1];
    return compressed ? new GZIPInputStream(this, BUFFER_BYTES) : this;
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
   * Returns zero only at the end. GZIPInputStream takes zero for the end of the archive, so a slow
   * pipe would otherwise lose all but the first member.
   */
  @Override
  public int available() throws IOException {
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

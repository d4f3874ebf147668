package palmares.live.history;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** The bytes of a source as they lie there, counted; for {@link #text} they are unpacked. */
final class RawInput extends FilterInputStream {
  private static final int BUFFER = 64 << 10;
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};

  private long count;

  RawInput(InputStream in) {
    super(new BufferedInputStream(in, BUFFER));
  }

  /** The lines themselves, whether they come compressed or not. */
  InputStream text() throws IOException {
    in.mark(GZIP.length);
    byte[] first = in.readNBytes(GZIP.length);
    in.reset();
    boolean packed = first.length == 2 && first[0] == GZIP[0] && first[1] == GZIP[1];
    return packed ? new GZIPInputStream(this, BUFFER) : this;
  }

  /** How many bytes have been read. */
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
   * Zero at the end only: GZIPInputStream takes a zero for the end of the last of several members,
   * and a pipe that is merely slow would lose the rest.
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

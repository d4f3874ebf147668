package palmares.live.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import palmares.live.history.HistorySource.RawInput;

class RawInputTest {
  @Test
  void plainTextIsReadUnchanged() throws IOException {
    assertThat(read(bytes("plain"))).isEqualTo("plain");
    assertThat(read(new byte[0])).isEmpty();
    assertThat(read(bytes("x"))).isEqualTo("x");
  }

  @Test
  void gzipIsDetectedByItsFirstBytes() throws IOException {
    assertThat(read(compressed("text"))).isEqualTo("text");
  }

  @Test
  void allMembersOfAnArchiveAreReadFromASlowPipe() throws IOException {
    byte[] two = join(compressed("one\n"), compressed("two\n"));
    assertThat(text(new RawInput(new OneByteAtATime(two)))).isEqualTo("one\ntwo\n");
  }

  @Test
  void aTruncatedArchiveFails() throws IOException {
    byte[] whole = compressed("whole");
    assertThatThrownBy(() -> read(Arrays.copyOf(whole, whole.length - 4)))
        .isInstanceOf(EOFException.class);
  }

  @Test
  void aTornOrDamagedMemberOfAnArchiveIsNotTakenForItsEnd() throws IOException {
    byte[] first = compressed("one\n");
    byte[] second = compressed("two\n");
    for (int bytes = 1; bytes < second.length; bytes++) {
      byte[] torn = join(first, Arrays.copyOf(second, bytes));
      assertThatThrownBy(() -> read(torn)).as("%d bytes", bytes).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> text(new RawInput(new OneByteAtATime(torn))))
          .as("%d bytes", bytes)
          .isInstanceOf(IOException.class);
    }
    second[1] = 0;
    byte[] damaged = join(first, second);
    try (var java = new GZIPInputStream(new ByteArrayInputStream(damaged))) {
      assertThat(java.readAllBytes()).as("what Java reads of it").isEqualTo(bytes("one\n"));
    }
    assertThatThrownBy(() -> read(damaged)).hasMessageContaining("may be torn");
  }

  @Test
  void compressedBytesAreCounted() throws IOException {
    byte[] archive = compressed("x".repeat(10_000));
    var raw = new RawInput(new ByteArrayInputStream(archive));
    text(raw);
    assertThat(raw.count()).isEqualTo(archive.length);
  }

  private static String read(byte[] content) throws IOException {
    return text(new RawInput(new ByteArrayInputStream(content)));
  }

  private static String text(RawInput raw) throws IOException {
    return new String(raw.text().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] compressed(String text) throws IOException {
    var compressed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(compressed)) {
      gzip.write(bytes(text));
    }
    return compressed.toByteArray();
  }

  private static byte[] join(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  /** Returns one byte at a time, with {@code available()} always 0. */
  private static final class OneByteAtATime extends InputStream {
    private final byte[] content;
    private int at;

    OneByteAtATime(byte[] content) {
      this.content = content;
    }

    @Override
    public int read() {
      return at < content.length ? content[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      int next = read();
      if (next < 0) {
        return -1;
      }
      bytes[from] = (byte) next;
      return 1;
    }
  }
}

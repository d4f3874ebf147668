package palmares.live.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palmares.live.history.LineReader.Line;

class LineReaderTest {
  @Test
  void blankLinesAreSkippedButCounted() throws IOException {
    assertThat(read("a\n\n \t\r\nb\r\n\n\nc")).containsExactly("1:a", "4:b\r", "7:c");
  }

  @Test
  void aByteOrderMarkIsRemovedFromTheFirstLine() throws IOException {
    assertThat(read("\uFEFFa\n\uFEFFb\n")).containsExactly("1:a", "2:\uFEFFb");
    assertThat(read("\uFEFF\nb")).containsExactly("2:b");
  }

  @Test
  void anEmptyInputHasNoLines() throws IOException {
    assertThat(read("")).isEmpty();
    assertThat(read("\n\n")).isEmpty();
  }

  @Test
  void linesThatAreTooLongAreCutAndMarked() throws IOException {
    String longest = "x".repeat(LineReader.MAX_BYTES);
    var lines = new LineReader(bytes(longest + "\n" + longest + "y\nz"), 1);
    Line fits = line(lines);
    assertThat(fits.tooLong()).isFalse();
    assertThat(fits.text()).hasSize(LineReader.MAX_BYTES);
    Line cut = line(lines);
    assertThat(cut.tooLong()).isTrue();
    assertThat(cut.text()).hasSize(LineReader.MAX_BYTES);
    assertThat(line(lines).number()).isEqualTo(3);
  }

  private static Line line(LineReader lines) throws IOException {
    Line line = lines.next();
    if (line == null) {
      throw new AssertionError("no line");
    }
    return line;
  }

  private static List<String> read(String text) throws IOException {
    var reader = new LineReader(bytes(text), 1);
    var lines = new ArrayList<String>();
    for (Line line = reader.next(); line != null; line = reader.next()) {
      lines.add(line.number() + ":" + new String(line.text(), StandardCharsets.UTF_8));
    }
    return lines;
  }

  private static ByteArrayInputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}

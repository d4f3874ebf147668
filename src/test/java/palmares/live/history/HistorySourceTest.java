package palmares.live.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.live.history.HistorySource.RawInput;

class HistorySourceTest {
  @TempDir private Path folder;

  @Test
  void aNamedPipeIsReadAndHasNoSize() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    var writing = CompletableFuture.runAsync(() -> write(pipe, "one\ntwo\n"));
    HistorySource source = HistorySource.of(pipe);
    assertThat(source.fault()).isEmpty();
    assertThat(source.size()).isEmpty();
    try (RawInput raw = source.open()) {
      assertThat(raw.text().readAllBytes()).asString().isEqualTo("one\ntwo\n");
    }
    writing.join();
  }

  @Test
  void missingFilesAndFoldersAreReportedBeforeReading() throws IOException {
    Path missing = folder.resolve("none");
    assertThat(HistorySource.of(missing).fault())
        .contains(new HistorySentences.NoFile(missing.toString()));
    assertThat(HistorySource.of(folder).fault())
        .contains(new HistorySentences.IsFolder(folder.toString()));
    Path file = Files.writeString(folder.resolve("file"), "four");
    assertThat(HistorySource.of(file).fault()).isEmpty();
    assertThat(HistorySource.of(file).size()).contains(4L);
  }

  private static void write(Path pipe, String text) {
    try (OutputStream out = Files.newOutputStream(pipe)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

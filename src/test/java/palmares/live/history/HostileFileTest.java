package palmares.live.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import palmares.live.history.HistoryReader.UnreadableSource;
import palmares.testing.FaultJournal;

/**
 * Files of events that are torn, joined or damaged: each line is taken once, in its order and with
 * its number, up to the place where reading fails; a torn archive never ends as a whole one does.
 * {@code -Dtests.hostile-files=10000} tries ten thousand seeds, and goes on where it was stopped.
 */
class HostileFileTest {
  private static final int FILES_OF_A_SEED = 20;
  private static final int ASKED = Integer.getInteger("tests.hostile-files", 0);
  private static final @Nullable FaultJournal JOURNAL =
      ASKED == 0 ? null : new FaultJournal("hostile-files", "torn and damaged event files", 1);

  static LongStream seeds() {
    return LongStream.rangeClosed(1, ASKED == 0 ? 5 : ASKED)
        .filter(seed -> JOURNAL == null || !JOURNAL.isKept("seed " + seed));
  }

  @ParameterizedTest(name = "seed {0}", allowZeroInvocations = true)
  @MethodSource("seeds")
  void aFileIsReadToItsEndOrSaidToBeUnreadable(long seed) {
    if (JOURNAL == null) {
      readAll(seed);
    } else {
      JOURNAL.run("seed " + seed, FILES_OF_A_SEED, () -> readAll(seed));
    }
  }

  /** Returns the acknowledged events, which are of no concern here. */
  private static long readAll(long seed) {
    var random = new Random(seed);
    for (int n = 0; n < FILES_OF_A_SEED; n++) {
      String text = text(random);
      byte[] zipped = zipped(text, random);
      int cut = random.nextInt(zipped.length);
      var torn = new Taken(Arrays.copyOf(zipped, cut));
      // Less than the two bytes by which an archive is known is a plain text.
      assertThat(torn.failed || cut < 2 || torn.lines.equals(lines(text)))
          .as("seed %d, file %d, %d of %d bytes", seed, n, cut, zipped.length)
          .isTrue();
      if (cut >= 2) {
        List<String> whole = whole(torn);
        assertThat(whole)
            .as("seed %d, file %d", seed, n)
            .isEqualTo(lines(text).subList(0, whole.size()));
      }
      assertThat(new Taken(zipped).lines).as("seed %d, file %d", seed, n).isEqualTo(lines(text));
      byte[] plain = text.getBytes(UTF_8);
      String begun = new String(Arrays.copyOf(plain, random.nextInt(plain.length + 1)), UTF_8);
      assertThat(new Taken(begun.getBytes(UTF_8)).lines)
          .as("seed %d, file %d", seed, n)
          .isEqualTo(lines(begun));
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        zipped[random.nextInt(zipped.length)] ^= (byte) (1 << random.nextInt(8));
      }
      new Taken(zipped); // Whether it can be read depends on the place; it fails in no other way.
    }
    return 0;
  }

  /** Of a torn archive, the last line may be torn. */
  private static List<String> whole(Taken torn) {
    int lines = torn.lines.size();
    return torn.lines.subList(0, torn.failed ? Math.max(0, lines - 1) : lines);
  }

  private static String text(Random random) {
    var text = new StringBuilder(random.nextInt(4) == 0 ? "\uFEFF" : "");
    for (int lines = random.nextInt(400); lines > 0; lines--) {
      switch (random.nextInt(12)) {
        case 0 -> text.append(" \t".repeat(random.nextInt(3)));
        case 1 -> text.append("\u00e9\u0000\uD83D\uDE00".repeat(random.nextInt(5)));
        default ->
            text.append("{\"id\":\"%d\",\"member\":\"ann\"}".formatted(random.nextInt(1 << 30)));
      }
      text.append(random.nextInt(8) == 0 ? "\r\n" : "\n");
    }
    return text.append(random.nextBoolean() ? "" : "{\"id\":").toString();
  }

  /** As one or more members, as files that were joined have. */
  private static byte[] zipped(String text, Random random) {
    byte[] plain = text.getBytes(UTF_8);
    var all = new ByteArrayOutputStream();
    int from = 0;
    do {
      int to = random.nextBoolean() ? plain.length : from + random.nextInt(plain.length - from + 1);
      try (var zip = new GZIPOutputStream(all)) {
        zip.write(plain, from, to - from);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      from = to;
    } while (from < plain.length);
    return all.toByteArray();
  }

  /** The lines that are not blank, each with its number. */
  private static List<String> lines(String text) {
    var lines = new ArrayList<String>();
    int number = 0;
    for (String line : text.replaceFirst("^\uFEFF", "").split("\n", -1)) {
      number++;
      if (!line.chars().allMatch(c -> c <= ' ')) {
        lines.add(number + " " + line);
      }
    }
    return lines;
  }

  /** What a server takes of a file. */
  private static final class Taken implements HistoryReader.Target {
    private final List<String> lines = new ArrayList<>();
    private final boolean failed;

    Taken(byte[] file) {
      boolean unreadable = false;
      try {
        new HistoryReader(this)
            .read(List.of(HistorySource.of("file", new ByteArrayInputStream(file))));
      } catch (UnreadableSource e) {
        assertThat(e).hasMessageContaining("file");
        unreadable = true;
      }
      failed = unreadable;
    }

    @Override
    public void take(String source, long first, byte[] batch) {
      long number = first;
      for (String line : new String(batch, UTF_8).split("\n", -1)) {
        if (!line.chars().allMatch(c -> c <= ' ')) {
          lines.add(number + " " + line);
        }
        number++;
      }
    }

    @Override
    public void taken(long bytes) {
      assertThat(bytes).isPositive();
    }
  }
}

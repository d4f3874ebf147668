package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class ImportCommandTest extends OnOwnApplication {
  @Test
  void linesAreAppliedAndTheNextCommandIsNamed() {
    Called called =
        palmares.callWith(event("good", "ann", "step", "2025-01-01T10:00:00Z"), "import", "-");
    assertThat(called.exitCode()).isZero();
    assertThat(called.out())
        .containsPattern("lines +1\n")
        .containsPattern("applied +1\n")
        .contains("open and due; this settles them\n  palmares close --due");
  }

  @Test
  void eachRefusedLineIsReportedWithFileAndNumber() throws IOException {
    Path file = folder.resolve("mixed.ndjson");
    Files.writeString(
        file,
        "\uFEFF"
            + event("m1", "ann", "step", "2025-01-02T10:00:00Z")
            + "\n   \r\n"
            + "no json\n"
            + event("m2", "ann", "fly", "2025-01-02T10:00:00Z")
            + event("m3", "ann", "step", "2027-01-02T10:00:00Z")
            + event("m4", "", "step", "2025-01-02T10:00:00Z")
            + "{\"id\":\"m5\",\"member\":\"ann\",\"action\":\"step\"}\n"
            + event("m6", "ann", "step", "yesterday"));
    Called called = palmares.call("import", file.toString());
    assertThat(called.exitCode()).isEqualTo(1);
    assertThat(called.lines())
        .satisfiesOnlyOnce(
            line ->
                assertThat(line).startsWith(file + ":4: malformed: not valid JSON, at line 4, "))
        .contains(file + ":5: unknown-action: no board counts the action 'fly'")
        .satisfiesOnlyOnce(line -> assertThat(line).startsWith(file + ":6: future-time: "))
        .satisfiesOnlyOnce(line -> assertThat(line).startsWith(file + ":7: invalid-field: "))
        .satisfiesOnlyOnce(line -> assertThat(line).startsWith(file + ":8: missing-time: "))
        .satisfiesOnlyOnce(line -> assertThat(line).startsWith(file + ":9: invalid-field: "));
    assertThat(called.out()).containsPattern("applied +1\n").containsPattern("refused +6\n");
  }

  @Test
  void aLineThatIsTooLongIsRefusedAndTheNextOneIsRead() {
    Called called =
        palmares.callWith(
            "x".repeat(1 << 20) + "\n" + event("long", "ann", "step", "2025-01-03T10:00:00Z"),
            "import",
            "-");
    assertThat(called.exitCode()).isEqualTo(1);
    assertThat(called.out())
        .contains("stdin:1: malformed: the line is longer than 65,536 bytes")
        .containsPattern("applied +1\n");
  }

  @Test
  void anEventThatCountsOnSomeBoardsOnlyIsNoFailure() {
    String hops =
        event("old", "ann", "hop", "2019-06-01T10:00:00Z"); // before the board that never closes
    Called called = palmares.callWith(hops, "import", "-");
    assertThat(called.exitCode()).isZero();
    assertThat(called.out())
        .contains("some counted on only some of their boards: 1 no-period")
        .doesNotContain("stdin:1");
    Called again = palmares.callWith(hops, "import", "-");
    assertThat(again.exitCode()).as("run again").isZero();
    assertThat(again.out()).containsPattern("duplicates +1\n");
  }

  @Test
  void anUndoWithoutEffectIsReportedButIsNoFailure() {
    Called called =
        palmares.callWith(
            """
            {"id":"u","member":"ann","action":"step","subject":"s","undo":true,\
            "occurredAt":"2025-01-04T10:00:00Z"}
            """,
            "import",
            "-");
    assertThat(called.exitCode()).isZero();
    assertThat(called.out())
        .contains("stdin:1: nothing-to-undo: ")
        .containsPattern("no effect +1\n");
  }

  @Test
  void gzipIsRecognizedByContentAndNothingIsAppliedTwice() throws IOException {
    Path file = folder.resolve("history");
    Files.write(file, packed(event("z", "ann", "step", "2025-01-05T10:00:00Z")));
    assertThat(palmares.call("import", file.toString()).out()).containsPattern("applied +1\n");
    Called again = palmares.call("import", file.toString());
    assertThat(again.exitCode()).isZero();
    assertThat(again.out()).containsPattern("applied +0\n").containsPattern("duplicates +1\n");
  }

  @Test
  void aTruncatedFileIsReportedAndItsReadablePartIsTaken() throws IOException {
    Path file = folder.resolve("torn.gz");
    byte[] whole = packed(event("torn", "ann", "step", "2025-01-06T10:00:00Z").repeat(3));
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 8));
    Called called = palmares.call("import", file.toString());
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err())
        .contains(file + " cannot be read after line 3", "repair the file and import it again");
    assertThat(palmares.call("close", "race", "2025-01-06").err()).contains("filled by an import");
  }

  @Test
  void eventsOfSettledPeriodsAreDuplicatesOrLate() {
    settle("2025-01-07");
    String day = "2025-01-07";
    Called again =
        palmares.callWith(
            event(day + "-1", "ann", "step", day + "T10:00:00Z")
                + event("late", "ann", "step", day + "T11:00:00Z"),
            "import",
            "-");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.out())
        .containsPattern("duplicates +1\n")
        .containsPattern("late +1\n")
        .contains("stdin:2: late: race 2025-01-07 takes no more events");
  }

  private static byte[] packed(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}

package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A history from import to report: a process that imports, and another that does the rest. */
class HistoryEndToEndTest extends OnOwnApplication {
  private static final int EVENTS = 2_500;
  private static final int MEMBERS = 12;
  private static final Duration SPAN = Duration.ofDays(6);
  private static final Instant FIRST = Instant.parse("2025-04-01T00:00:00Z");

  private record Step(String member, Instant at) {}

  private record Line(String member, long points, Instant reachedAt) {}

  @Test
  void reportsMatchAModelAndASecondRunChangesNothing() throws IOException {
    List<Step> steps = steps();
    Path file = folder.resolve("steps.ndjson");
    Files.writeString(file, ndjson(steps));
    String expected = expected(steps);

    assertThat(palmares.callAlone("import", file.toString()).out())
        .containsPattern("applied +2,500\n")
        .contains("6 periods are open and due");
    Called closed = palmares.call("close", "--due");
    assertThat(closed.exitCode()).as(closed.out()).isZero();
    assertThat(closed.out()).contains("settled 6 periods").contains("0 failed, 0 left to others");
    assertThat(palmares.call("report", "race", "--all", "--format", "csv").out())
        .isEqualTo(expected);
    Called verified = palmares.call("verify");
    assertThat(verified.exitCode()).isZero();
    assertThat(verified.lastLine())
        .isEqualTo(
            "verified: 6 periods, 72 lines, 12 payments;" + " 0 missing, 0 extra, 0 unequal");

    Called again = palmares.call("import", file.toString());
    assertThat(again.exitCode()).as(again.out()).isZero();
    assertThat(again.out()).containsPattern("duplicates +2,500\n").contains("no period is due");
    assertThat(palmares.call("close", "--due").out()).startsWith("nothing is due");
    assertThat(palmares.call("report", "race", "--all", "--format", "csv").out())
        .isEqualTo(expected);
    assertThat(palmares.call("verify").lastLine()).isEqualTo(verified.lastLine());
  }

  private static List<Step> steps() {
    var random = new Random(41);
    var steps = new ArrayList<Step>();
    for (int i = 0; i < EVENTS; i++) {
      steps.add(
          new Step(
              "m" + random.nextInt(MEMBERS), FIRST.plusMillis(random.nextLong(SPAN.toMillis()))));
    }
    return steps;
  }

  private static String ndjson(List<Step> steps) {
    var text = new StringBuilder();
    for (int i = 0; i < steps.size(); i++) {
      text.append(event("s" + i, steps.get(i).member(), "step", steps.get(i).at().toString()));
    }
    return text.toString();
  }

  private static String expected(List<Step> steps) {
    var days = new TreeMap<String, Map<String, Line>>();
    for (Step step : steps) {
      days.computeIfAbsent(
              step.at().atOffset(ZoneOffset.UTC).toLocalDate().toString(), day -> new TreeMap<>())
          .merge(step.member(), new Line(step.member(), 5, step.at()), HistoryEndToEndTest::add);
    }
    var csv = new StringBuilder("period,rank,member,points,reachedAt,credits,award:first\n");
    days.forEach((day, lines) -> append(csv, day, lines));
    return csv.toString();
  }

  private static Line add(Line one, Line other) {
    Instant later =
        one.reachedAt().isAfter(other.reachedAt()) ? one.reachedAt() : other.reachedAt();
    return new Line(one.member(), one.points() + other.points(), later);
  }

  private static void append(StringBuilder csv, String day, Map<String, Line> lines) {
    var ranked =
        lines.values().stream()
            .sorted(
                Comparator.comparing(Line::points)
                    .reversed()
                    .thenComparing(Line::reachedAt)
                    .thenComparing(Comparator.comparing(Line::member).reversed()))
            .toList();
    for (int i = 0; i < ranked.size(); i++) {
      Line line = ranked.get(i);
      csv.append(
          "%s,%d,%s,%d,%s,%s\n"
              .formatted(
                  day,
                  i + 1,
                  line.member(),
                  line.points(),
                  line.reachedAt(),
                  i == 0 ? "100,100" : i == 1 ? "50,50" : "0,"));
    }
  }
}

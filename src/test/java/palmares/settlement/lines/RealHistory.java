package palmares.settlement.lines;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import palmares.testing.Fact;
import palmares.testing.Line;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the commit history next to the checkout, and the standings that another program computed.
 */
final class RealHistory {
  static final Path FOLDER = Path.of("..", "shared", "data");

  private RealHistory() {}

  static List<Fact> facts() throws IOException {
    var json = new JsonMapper();
    return lines("events.ndjson.gz").stream().map(line -> fact(json.readTree(line))).toList();
  }

  private static Fact fact(JsonNode event) {
    return new Fact(
        event.get("id").stringValue(),
        event.get("member").stringValue(),
        event.get("action").stringValue(),
        event.get("subject").stringValue(),
        event.has("undo") && event.get("undo").booleanValue(),
        1,
        null,
        null,
        Instant.parse(event.get("occurredAt").stringValue()),
        null);
  }

  /** The board's standings by period, whose names sort as their times do. */
  static Map<String, List<Line>> standings(String board) throws IOException {
    var periods = new TreeMap<String, List<Line>>();
    for (String line : lines(board + ".expected.csv.gz").stream().skip(1).toList()) {
      String[] cells = line.split(",");
      long rank = Long.parseLong(cells[1]);
      periods
          .computeIfAbsent(cells[0], period -> new ArrayList<>())
          .add(new Line(rank, rank, cells[2], Long.parseLong(cells[3]), Instant.parse(cells[4])));
    }
    return periods;
  }

  private static List<String> lines(String file) throws IOException {
    try (var in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(FOLDER.resolve(file))),
                StandardCharsets.UTF_8))) {
      return in.lines().toList();
    }
  }
}

package palmares.bench.write;

import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import palmares.rules.calendar.Slot;
import tools.jackson.databind.json.JsonMapper;

/** An outcome as the real answers spell it, from those who only look like the real ones. */
record BareOutcome(String id, String outcome, List<OnBoard> boards) {
  private static final String APPLIED = "applied";
  private static final String BOARD = "bench";

  record OnBoard(String board, String period, String outcome, long change, long points) {}

  static BareOutcome of(String id, Slot day, long change, long points) {
    return of(id, day.name().value(), change, points);
  }

  static BareOutcome of(String id, String period, long change, long points) {
    return new BareOutcome(
        id, APPLIED, List.of(new OnBoard(BOARD, period, APPLIED, change, points)));
  }

  ResponseEntity<byte[]> answer(JsonMapper json) {
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .body(json.writeValueAsBytes(this));
  }
}

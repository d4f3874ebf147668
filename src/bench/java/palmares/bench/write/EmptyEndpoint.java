package palmares.bench.write;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.springframework.http.ResponseEntity;
import palmares.live.intake.EventReader;
import palmares.live.intake.StrictJson;
import tools.jackson.databind.json.JsonMapper;

/**
 * The floor of HTTP: reads the JSON of an event and answers with the JSON of an outcome, and does
 * nothing in between. No part of any server but of one that is measured.
 */
record EmptyEndpoint(JsonMapper json) {
  ResponseEntity<byte[]> answer(InputStream body) throws IOException {
    String id = Objects.requireNonNull(EventReader.idOf(StrictJson.value(body.readAllBytes())));
    return BareOutcome.of(id, "2026-11-20", 1, 1).answer(json);
  }
}

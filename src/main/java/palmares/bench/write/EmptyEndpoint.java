package palmares.bench.write;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import palmares.board.BoardId;
import palmares.intake.EventReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The floor of HTTP: reads the JSON of an event and answers with the JSON of an outcome, and does
 * nothing in between. No part of any server but of one that is measured.
 */
final class EmptyEndpoint {
  static final String ADDRESS = "/bench/empty";

  private final JsonMapper json;
  private final BoardId board;

  EmptyEndpoint(JsonMapper json, BoardId board) {
    this.json = json;
    this.board = board;
  }

  /** An outcome as the real answers spell it. */
  record Answer(String id, String outcome, List<OnBoard> boards) {
    record OnBoard(String board, String period, String outcome, long change, long points) {}
  }

  /** Lets the server answer there from now on, by the same means as all that it answers. */
  void register(RequestMappingHandlerMapping mappings) throws NoSuchMethodException {
    Method answer = EmptyEndpoint.class.getDeclaredMethod("answer", InputStream.class);
    mappings.registerMapping(
        RequestMappingInfo.paths(ADDRESS)
            .methods(RequestMethod.POST)
            .consumes(MediaType.APPLICATION_JSON_VALUE)
            .options(mappings.getBuilderConfiguration())
            .build(),
        this,
        answer);
  }

  ResponseEntity<byte[]> answer(InputStream body) throws IOException {
    String id = Objects.requireNonNull(EventReader.idOf(EventReader.json(body.readAllBytes())));
    var onBoard = new Answer.OnBoard(board.value(), "2026-11-20", "applied", 1, 1);
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .body(json.writeValueAsBytes(new Answer(id, "applied", List.of(onBoard))));
  }
}

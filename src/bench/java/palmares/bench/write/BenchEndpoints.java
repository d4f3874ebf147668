package palmares.bench.write;

import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.context.support.WebApplicationContextUtils;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import palmares.api.security.Requires;
import palmares.api.security.Role;
import palmares.live.intake.EventReader;
import palmares.live.intake.StrictJson;
import palmares.rules.calendar.Slot;
import tools.jackson.databind.json.JsonMapper;

/** Adds endpoints to a running server. */
final class BenchEndpoints {
  private final RequestMappingHandlerMapping mappings;

  BenchEndpoints(ServletContext server) {
    this.mappings =
        WebApplicationContextUtils.getRequiredWebApplicationContext(server)
            .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class);
  }

  /**
   * @param handler has a method {@code answer} that takes a body
   */
  void add(String address, Object handler) throws NoSuchMethodException {
    mappings.registerMapping(
        RequestMappingInfo.paths(address)
            .methods(RequestMethod.POST)
            .consumes(MediaType.APPLICATION_JSON_VALUE)
            .options(mappings.getBuilderConfiguration())
            .build(),
        handler,
        handler.getClass().getDeclaredMethod("answer", InputStream.class));
  }

  /**
   * The floor of HTTP: an endpoint that reads an event and answers with an outcome, and does
   * nothing else.
   */
  record EmptyEndpoint(JsonMapper json) {
    @Requires(Role.WRITER)
    ResponseEntity<byte[]> answer(InputStream body) throws IOException {
      String id = Objects.requireNonNull(EventReader.idOf(StrictJson.value(body.readAllBytes())));
      return OutcomeBody.of(id, "2026-11-20", 1, 1).answer(json);
    }
  }

  /** The answer of a benchmark endpoint, in the format of the real endpoint. */
  record OutcomeBody(String id, String outcome, List<OnBoard> boards) {
    private static final String APPLIED = "applied";
    private static final String BOARD = "bench";

    record OnBoard(String board, String period, String outcome, long change, long points) {}

    static OutcomeBody of(String id, Slot day, long change, long points) {
      return of(id, day.name().value(), change, points);
    }

    static OutcomeBody of(String id, String period, long change, long points) {
      return new OutcomeBody(
          id, APPLIED, List.of(new OnBoard(BOARD, period, APPLIED, change, points)));
    }

    ResponseEntity<byte[]> answer(JsonMapper json) {
      return ResponseEntity.ok()
          .contentType(MediaType.APPLICATION_JSON)
          .body(json.writeValueAsBytes(this));
    }
  }
}

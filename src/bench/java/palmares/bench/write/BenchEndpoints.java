package palmares.bench.write;

import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.support.WebApplicationContextUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.live.intake.EventReader;
import palmares.live.intake.StrictJson;
import palmares.rules.calendar.Slot;
import tools.jackson.databind.json.JsonMapper;

/** Adds endpoints to a running server. */
final class BenchEndpoints {
  /** The paths that Spring Security must ignore. */
  static final String PATHS = "/bench/open";

  private final RequestMappingHandlerMapping mappings;

  BenchEndpoints(ServletContext server) {
    this.mappings =
        WebApplicationContextUtils.getRequiredWebApplicationContext(server)
            .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class);
  }

  /**
   * @param handler has a method {@code answer} that takes a body
   */
  void add(String path, Object handler) throws NoSuchMethodException {
    add(RequestMappingInfo.paths(path), handler);
  }

  /** Adds an endpoint at the path of events, which their filters are for. */
  void addToEvents(String parameter, Object handler) throws NoSuchMethodException {
    add(RequestMappingInfo.paths(Ways.EVENTS).params(parameter), handler);
  }

  private void add(RequestMappingInfo.Builder address, Object handler)
      throws NoSuchMethodException {
    mappings.registerMapping(
        address
            .methods(RequestMethod.POST)
            .consumes(MediaType.APPLICATION_JSON_VALUE)
            .options(mappings.getBuilderConfiguration())
            .build(),
        handler,
        handler.getClass().getDeclaredMethod("answer", InputStream.class));
  }

  /** Adds the endpoint of events once more, which {@link #PATHS} keeps free of security. */
  void addOpen(String address, Caller caller) throws NoSuchMethodException {
    HandlerMethod events =
        mappings.getHandlerMethods().entrySet().stream()
            .filter(mapping -> mapping.getKey().getPatternValues().contains(Ways.EVENTS))
            .filter(mapping -> mapping.getKey().getParamsCondition().isEmpty())
            .filter(mapping -> takesJson(mapping.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElseThrow()
            .createWithResolvedBean();
    add(address, new OpenEndpoint(events.getBean(), events.getMethod(), caller));
  }

  private static boolean takesJson(RequestMappingInfo mapping) {
    return mapping.getConsumesCondition().getConsumableMediaTypes().stream()
        .anyMatch(MediaType.APPLICATION_JSON::equals);
  }

  /**
   * Takes events as the real endpoint does, in the name of a caller whom nobody has checked.
   *
   * @param method takes a request and a body
   */
  record OpenEndpoint(Object bean, Method method, Caller caller) {
    @Requires({})
    @Nullable Object answer(InputStream body) throws ReflectiveOperationException {
      SecurityContextHolder.setContext(new SecurityContextImpl(caller.authentication()));
      try {
        return method.invoke(bean, request(), body);
      } finally {
        SecurityContextHolder.clearContext();
      }
    }

    private static NativeWebRequest request() {
      var present = (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
      return new ServletWebRequest(present.getRequest());
    }
  }

  /**
   * The floor of HTTP: an endpoint that reads an event and answers with an outcome, and does
   * nothing else. It passes the same filters as an event, of which there is one for its key.
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

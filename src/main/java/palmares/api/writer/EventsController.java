package palmares.api.writer;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Idempotency;
import palmares.api.http.Idempotency.Asked;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.http.RequestBody;
import palmares.api.http.ServerLoad;
import palmares.live.intake.EventBatch;
import palmares.live.intake.EventOrigin;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.Intake;
import palmares.live.intake.Refusal;
import palmares.live.intake.RefusalReason;
import palmares.live.intake.StrictJson;
import tools.jackson.databind.json.JsonMapper;

/** Takes events, one or many; each gets its own outcome, in order. */
@RestController
@RequestMapping(EventsController.ADDRESS)
class EventsController {
  static final String ADDRESS = "/api/v1/events";
  static final String NDJSON = "application/x-ndjson";

  /** A request may bring so many events, in so many bytes. */
  static final int MOST_EVENTS = 10_000;

  static final int MOST_BYTES = 8 << 20;

  /** What an event, its way through Redis and its outcome take of the heap. */
  private static final int BYTES_PER_EVENT = 2 << 10;

  private final Intake intake;
  private final KeyRing keys;
  private final Idempotency idempotency;
  private final JsonMapper json;

  EventsController(Intake intake, KeyRing keys, Idempotency idempotency, JsonMapper json) {
    this.intake = intake;
    this.keys = keys;
    this.idempotency = idempotency;
    this.json = json;
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> json(
      @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false) @Nullable String key,
      @RequestHeader(name = Idempotency.KEY, required = false) @Nullable String once,
      InputStream body,
      HttpServletRequest request)
      throws IOException {
    return take(keys.require(key, request.getRemoteAddr()), once, body, this::json);
  }

  @PostMapping(consumes = NDJSON, produces = NDJSON)
  ResponseEntity<byte[]> lines(
      @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false) @Nullable String key,
      @RequestHeader(name = Idempotency.KEY, required = false) @Nullable String once,
      InputStream body,
      HttpServletRequest request)
      throws IOException {
    return take(keys.require(key, request.getRemoteAddr()), once, body, this::lines);
  }

  private ResponseEntity<byte[]> take(
      ApiKey key,
      @Nullable String once,
      InputStream body,
      BiFunction<byte[], EventOrigin, ResponseEntity<byte[]>> format)
      throws IOException {
    byte[] text = read(body);
    return idempotency.once(
        new Asked(once, key.id(), ADDRESS, text),
        () -> format.apply(text, new EventOrigin.Api(key.boards())));
  }

  private ResponseEntity<byte[]> json(byte[] text, EventOrigin origin) {
    var batch = new EventBatch();
    boolean several =
        StrictJson.values(
            text,
            value -> {
              batch.add(value);
              requireRoom(batch);
            });
    List<EventOutcome> outcomes = batch.sendTo(intake, origin);
    return several
        ? answer(
            HttpStatus.OK,
            MediaType.APPLICATION_JSON,
            outcomes.stream().map(OutcomeView::of).toList())
        : single(outcomes.get(0));
  }

  private ResponseEntity<byte[]> lines(byte[] text, EventOrigin origin) {
    var batch = new EventBatch();
    BodyLines.of(
        text,
        line -> {
          batch.addLine(line);
          requireRoom(batch);
        });
    var answer = new ByteArrayOutputStream();
    for (EventOutcome outcome : batch.sendTo(intake, origin)) {
      answer.writeBytes(json.writeValueAsBytes(OutcomeView.of(outcome)));
      answer.write('\n');
    }
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType(NDJSON))
        .body(answer.toByteArray());
  }

  private ResponseEntity<byte[]> answer(HttpStatus status, MediaType type, Object body) {
    return ResponseEntity.status(status).contentType(type).body(json.writeValueAsBytes(body));
  }

  private static byte[] read(InputStream body) throws IOException {
    byte[] text = RequestBody.readAll(MOST_BYTES, body);
    if (text.length == 0) {
      throw new Refusal(RefusalReason.MALFORMED, "the body is empty: send an event, or several");
    }
    return text;
  }

  private static void requireRoom(EventBatch batch) {
    if (batch.size() > MOST_EVENTS) {
      throw new ProblemException(
          Problem.TOO_MANY_EVENTS,
          "a request brings at most %d events: send them in several".formatted(MOST_EVENTS));
    }
    ServerLoad.reserve(BYTES_PER_EVENT);
  }

  /** A caller of one event may look at the status alone, so it must not lie. */
  private ResponseEntity<byte[]> single(EventOutcome outcome) {
    OutcomeView view = OutcomeView.of(outcome);
    RefusalReason reason = outcome.reason();
    if (outcome.kind() == EventOutcome.Kind.ACCEPTED) {
      return answer(HttpStatus.ACCEPTED, MediaType.APPLICATION_JSON, view);
    }
    if (reason == null || outcome.kind() == EventOutcome.Kind.DUPLICATE) {
      return answer(HttpStatus.OK, MediaType.APPLICATION_JSON, view);
    }
    Problem problem = Problem.of(reason);
    // For the event the board is a value that cannot be; for an address, a place that is not there.
    HttpStatus status =
        problem == Problem.UNKNOWN_BOARD ? HttpStatus.UNPROCESSABLE_CONTENT : problem.status();
    ProblemDetail detail = problem.detail(status, outcome.detail());
    if (view.id() != null) {
      detail.setProperty("id", view.id());
    }
    detail.setProperty("outcome", view.outcome());
    detail.setProperty("reason", view.reason());
    detail.setProperty("boards", view.boards());
    return answer(status, MediaType.APPLICATION_PROBLEM_JSON, detail);
  }
}

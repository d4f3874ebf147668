package palmares.api.writer;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.NativeWebRequest;
import palmares.api.http.Idempotency;
import palmares.api.http.Idempotency.Identity;
import palmares.api.http.Operation;
import palmares.api.http.ProblemDetails;
import palmares.api.http.RequestBody;
import palmares.api.http.ServerLoad;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.live.intake.EventBatch;
import palmares.live.intake.EventOrigin;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventRefusal;
import palmares.live.intake.EventSentences;
import palmares.live.intake.Intake;
import palmares.live.intake.RefusalReason;
import palmares.live.intake.StrictJson;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import tools.jackson.databind.json.JsonMapper;

/** Takes one or several events; the response has an outcome for each, in order. */
@RestController
@RequestMapping(EventsController.PATH)
class EventsController {
  static final String PATH = "/api/v1/events";
  static final String NDJSON = "application/x-ndjson";

  static final int MAX_EVENTS_PER_REQUEST = 10_000;
  static final int MAX_BODY_BYTES = 8 << 20;

  /** For the event, its call to Redis, and its outcome. */
  private static final int HEAP_BYTES_PER_EVENT = 2 << 10;

  private final Intake intake;
  private final Idempotency idempotency;
  private final JsonMapper json;

  EventsController(Intake intake, Idempotency idempotency, JsonMapper json) {
    this.intake = intake;
    this.idempotency = idempotency;
    this.json = json;
  }

  @Operation("takeEvents")
  @Requires(value = Role.WRITER, checksBoards = true)
  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> json(NativeWebRequest request, InputStream body) throws IOException {
    return take(request, body, this::json);
  }

  @Operation("takeEvents")
  @Requires(value = Role.WRITER, checksBoards = true)
  @PostMapping(consumes = NDJSON, produces = NDJSON)
  ResponseEntity<byte[]> lines(NativeWebRequest request, InputStream body) throws IOException {
    return take(request, body, this::lines);
  }

  private ResponseEntity<byte[]> take(
      NativeWebRequest request,
      InputStream body,
      BiFunction<byte[], EventOrigin, ResponseEntity<byte[]>> format)
      throws IOException {
    Caller caller = Caller.get();
    try {
      byte[] text = read(body);
      return idempotency.once(
          new Identity(Idempotency.key(request), caller.name(), PATH, text),
          () -> format.apply(text, new EventOrigin.Api(caller.boards())));
    } catch (EventRefusal refusal) {
      intake.countRequest(refusal);
      throw refusal;
    }
  }

  private ResponseEntity<byte[]> json(byte[] text, EventOrigin origin) {
    var batch = new EventBatch();
    boolean several =
        StrictJson.values(
            text,
            value -> {
              batch.add(value);
              requireCapacity(batch);
            });
    List<EventOutcome> outcomes = batch.sendTo(intake, origin);
    return several
        ? respond(
            HttpStatus.OK,
            MediaType.APPLICATION_JSON,
            outcomes.stream().map(OutcomeView::of).toList())
        : single(outcomes.get(0));
  }

  private ResponseEntity<byte[]> lines(byte[] text, EventOrigin origin) {
    var batch = new EventBatch();
    forEachLine(
        text,
        (line, number) -> {
          batch.addLine(line, number);
          requireCapacity(batch);
        });
    var response = new ByteArrayOutputStream();
    for (EventOutcome outcome : batch.sendTo(intake, origin)) {
      response.writeBytes(json.writeValueAsBytes(OutcomeView.of(outcome)));
      response.write('\n');
    }
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType(NDJSON))
        .body(response.toByteArray());
  }

  private ResponseEntity<byte[]> respond(HttpStatus status, MediaType type, Object body) {
    return ResponseEntity.status(status).contentType(type).body(json.writeValueAsBytes(body));
  }

  private static byte[] read(InputStream body) throws IOException {
    byte[] text = RequestBody.readAll(MAX_BODY_BYTES, body);
    if (text.length == 0) {
      throw new EventRefusal(RefusalReason.MALFORMED, new EventSentences.EmptyBody());
    }
    return text;
  }

  private static void requireCapacity(EventBatch batch) {
    if (batch.size() > MAX_EVENTS_PER_REQUEST) {
      throw new Refusal(
          Problem.TOO_MANY_EVENTS, new EventSentences.TooManyEvents(MAX_EVENTS_PER_REQUEST));
    }
    ServerLoad.reserve(HEAP_BYTES_PER_EVENT);
  }

  /** For a single event, the status of the response says what became of it. */
  private ResponseEntity<byte[]> single(EventOutcome outcome) {
    OutcomeView view = OutcomeView.of(outcome);
    RefusalReason reason = outcome.reason();
    if (outcome.kind() == EventOutcome.Kind.ACCEPTED) {
      return respond(HttpStatus.ACCEPTED, MediaType.APPLICATION_JSON, view);
    }
    if (reason == null || outcome.kind() == EventOutcome.Kind.DUPLICATE) {
      return respond(HttpStatus.OK, MediaType.APPLICATION_JSON, view);
    }
    Problem problem = Problem.of(reason);
    // The board is a value of the body here, not a part of the path, so 404 would be wrong.
    HttpStatus status =
        problem == Problem.UNKNOWN_BOARD
            ? HttpStatus.UNPROCESSABLE_CONTENT
            : HttpStatus.valueOf(problem.status());
    ProblemDetail detail =
        ProblemDetails.of(problem, status, Objects.requireNonNull(outcome.said()));
    if (view.id() != null) {
      detail.setProperty("id", view.id());
    }
    detail.setProperty("outcome", view.outcome());
    detail.setProperty("reason", view.reason());
    detail.setProperty("boards", view.boards());
    return respond(status, MediaType.APPLICATION_PROBLEM_JSON, detail);
  }

  /**
   * Passes on each line without its line end, and its number; empty lines are left out.
   *
   * @param each may throw, which ends the reading
   */
  private static void forEachLine(byte[] text, ObjLongConsumer<byte[]> each) {
    int start = 0;
    long number = 0;
    for (int i = 0; i <= text.length; i++) {
      if (i == text.length || text[i] == '\n') {
        number++;
        int end = i > start && text[i - 1] == '\r' ? i - 1 : i;
        if (end > start) {
          each.accept(Arrays.copyOfRange(text, start, end), number);
        }
        start = i + 1;
      }
    }
  }

  /** The JSON form of an outcome. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record OutcomeView(
      @Nullable String id,
      String outcome,
      @Nullable String reason,
      @Nullable String detail,
      List<OnBoard> boards) {

    /** The result of the event on one board. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record OnBoard(
        String board,
        @Nullable String period,
        String outcome,
        @Nullable String reason,
        @Nullable String detail,
        long change,
        @Nullable Long points) {}

    /** What is said of an event on one board alone is made text of once. */
    static OutcomeView of(EventOutcome outcome) {
      String detail = text(outcome.said());
      return new OutcomeView(
          outcome.id(),
          outcome.kind().word(),
          word(outcome.reason()),
          detail,
          outcome.boards().stream()
              .map(on -> onBoard(on, on.said() == outcome.said() ? detail : text(on.said())))
              .toList());
    }

    private static OnBoard onBoard(EventOutcome.OnBoard on, @Nullable String detail) {
      return new OnBoard(
          on.board().value(),
          on.period() == null ? null : on.period().value(),
          on.kind().word(),
          word(on.reason()),
          detail,
          on.change(),
          on.points());
    }

    private static @Nullable String text(@Nullable Sentence said) {
      return said == null ? null : Texts.here().of(said);
    }

    private static @Nullable String word(@Nullable RefusalReason reason) {
      return reason == null ? null : reason.word();
    }
  }
}

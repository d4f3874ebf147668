package palmares.api.http;

import java.net.URI;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import palmares.live.intake.RefusalReason;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everything that an answer may complain of. Part of the API: a problem's word never changes, and
 * each is listed in {@code src/docs/api.md}.
 */
public enum Problem {
  /** Not JSON, or not an object. */
  MALFORMED(HttpStatus.BAD_REQUEST),
  /** A field that there is not. */
  UNKNOWN_FIELD(HttpStatus.BAD_REQUEST),
  /** A field that there must be. */
  MISSING_FIELD(HttpStatus.BAD_REQUEST),
  /** A field or a parameter whose value it cannot be. */
  INVALID_FIELD(HttpStatus.BAD_REQUEST),
  /** An {@code Idempotency-Key} that is none. */
  INVALID_IDEMPOTENCY_KEY(HttpStatus.BAD_REQUEST),
  /** A cursor that no answer gave, or that belongs to another period. */
  INVALID_CURSOR(HttpStatus.BAD_REQUEST),
  /** No key in use. */
  UNAUTHORIZED(HttpStatus.UNAUTHORIZED),
  /** The key may not write that board. */
  FORBIDDEN(HttpStatus.FORBIDDEN),
  /** No board of that name. */
  UNKNOWN_BOARD(HttpStatus.NOT_FOUND),
  /** No period of that name, or none yet. */
  UNKNOWN_PERIOD(HttpStatus.NOT_FOUND),
  /** Nobody of that id stands on the board, or has registered. */
  UNKNOWN_MEMBER(HttpStatus.NOT_FOUND),
  /** The external id was registered before, with something else. */
  ALREADY_REGISTERED(HttpStatus.CONFLICT),
  /** Another member has the id that was asked for. */
  MEMBER_TAKEN(HttpStatus.CONFLICT),
  /** The team's own program writes that board: it takes no events, and answers once settled. */
  ADOPTED(HttpStatus.CONFLICT),
  /** It came after the seal or the grace. */
  LATE(HttpStatus.CONFLICT),
  /** The first request with that {@code Idempotency-Key} is still being answered. */
  IDEMPOTENCY_KEY_IN_USE(HttpStatus.CONFLICT, 1),
  /** The line at which a cursor stands moved before the period was settled. */
  STALE_CURSOR(HttpStatus.GONE),
  /** More bytes than a request may bring. */
  TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE),
  /** More events than a request may bring. */
  TOO_MANY_EVENTS(HttpStatus.CONTENT_TOO_LARGE),
  /** More members than a question may name. */
  TOO_MANY_MEMBERS(HttpStatus.CONTENT_TOO_LARGE),
  /** That {@code Idempotency-Key} came with another request before. */
  IDEMPOTENCY_KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT),
  /** No board, or not the named one, counts that action. */
  UNKNOWN_ACTION(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The board needs {@code occurredAt}. */
  MISSING_TIME(HttpStatus.UNPROCESSABLE_CONTENT),
  /** It happens later than now. */
  FUTURE_TIME(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The board has no period at that time. */
  NO_PERIOD(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The board does not take this action back. */
  UNDO_NOT_ALLOWED(HttpStatus.UNPROCESSABLE_CONTENT),
  /** There was nothing to undo. */
  NOTHING_TO_UNDO(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The member did this already, as often as it counts. */
  REPEATED(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The member did this as often as counts in a day or a period. */
  CAPPED(HttpStatus.UNPROCESSABLE_CONTENT),
  /** Its value did not better what the member holds. */
  NOT_BETTER(HttpStatus.UNPROCESSABLE_CONTENT),
  /** Another event with this id was taken before. */
  CONFLICTING_ID(HttpStatus.UNPROCESSABLE_CONTENT),
  /** Nobody has the invite code. */
  UNKNOWN_CODE(HttpStatus.UNPROCESSABLE_CONTENT),
  /** It would credit a member for its own invite. */
  SELF_INVITE(HttpStatus.UNPROCESSABLE_CONTENT),
  /** It would pass the board's most points. */
  MAX_POINTS(HttpStatus.UNPROCESSABLE_CONTENT),
  /** It would pass the most of the board's second key. */
  MAX_THEN_BY(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The period has decided as many events as it can put in order of arrival. */
  MAX_EVENTS(HttpStatus.UNPROCESSABLE_CONTENT),
  /** More of the action than one event may bring. */
  MAX_QUANTITY(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The request itself cannot be read. */
  BAD_REQUEST(HttpStatus.BAD_REQUEST),
  /** The body took longer to arrive than it may. */
  REQUEST_TIMEOUT(HttpStatus.REQUEST_TIMEOUT),
  /** The address of the caller has as much under way as it may, or sent too many wrong keys. */
  TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS, 1),
  /** There is nothing at that address. */
  NOT_FOUND(HttpStatus.NOT_FOUND),
  /** The address takes other methods. */
  METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED),
  /** No answer is of a type that the caller takes. */
  NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE),
  /** The address takes bodies of other types. */
  UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE),
  /** The server is no proxy, or the body comes in an encoding that it does not know. */
  NOT_IMPLEMENTED(HttpStatus.NOT_IMPLEMENTED),
  /** A fault of ours. */
  INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR),
  /** Other requests take all that large requests may take of the server. */
  OVERLOADED(HttpStatus.SERVICE_UNAVAILABLE, 1),
  /** As many watch boards as may. */
  TOO_MANY_WATCHERS(HttpStatus.SERVICE_UNAVAILABLE, 30),
  /** Too many events wait to be committed. */
  BUSY(HttpStatus.SERVICE_UNAVAILABLE, 1),
  /** Redis has lost the live board. */
  LIVE_BOARD_GONE(HttpStatus.SERVICE_UNAVAILABLE, 5),
  /** The live board is being made anew from its journal. */
  REBUILDING(HttpStatus.SERVICE_UNAVAILABLE, 5),
  /** The journal of the board is full until PostgreSQL has taken some of it. */
  BACKLOG(HttpStatus.SERVICE_UNAVAILABLE, 30),
  /** Redis does not answer. */
  REDIS_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, 5),
  /** Redis has been started and still reads its data. */
  REDIS_LOADING(HttpStatus.SERVICE_UNAVAILABLE, 5),
  /** Redis may use no more memory. */
  REDIS_FULL(HttpStatus.SERVICE_UNAVAILABLE, 30),
  /** Redis is a cluster, and was not configured as one: no retry helps. */
  REDIS_CLUSTER(HttpStatus.SERVICE_UNAVAILABLE),
  /** PostgreSQL does not answer. */
  DATABASE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, 5);

  /** Every problem's type begins so. */
  static final String TYPE = "urn:palmares:problem:";

  private final HttpStatus status;
  private final int retrySeconds;

  Problem(HttpStatus status) {
    this(status, 0);
  }

  Problem(HttpStatus status, int retrySeconds) {
    this.status = status;
    this.retrySeconds = retrySeconds;
  }

  /** The problem that a refused event's reason is. */
  public static Problem of(RefusalReason reason) {
    return valueOf(reason.name());
  }

  /** What Spring or Tomcat refuse by themselves is told by the status alone. */
  static Problem of(HttpStatusCode status) {
    return Arrays.stream(values())
        .filter(problem -> problem.name().equals(name(status)))
        .findFirst()
        .orElse(status.is4xxClientError() ? BAD_REQUEST : INTERNAL);
  }

  private static @Nullable String name(HttpStatusCode status) {
    HttpStatus known = HttpStatus.resolve(status.value());
    return known == null ? null : known.name();
  }

  /** The status that it is answered with. */
  public HttpStatus status() {
    return status;
  }

  /** After how long it may be over, in seconds; empty if waiting alone does not help. */
  OptionalInt retrySeconds() {
    return retrySeconds == 0 ? OptionalInt.empty() : OptionalInt.of(retrySeconds);
  }

  /** The end of its type. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  URI type() {
    return URI.create(TYPE + word());
  }

  /**
   * As RFC 9457 has it.
   *
   * @param detail what, where and what to do
   */
  public ProblemDetail detail(@Nullable String detail) {
    return detail(status, detail);
  }

  /** The same under another status than the usual. */
  public ProblemDetail detail(HttpStatus status, @Nullable String detail) {
    ProblemDetail body = ProblemDetail.forStatusAndDetail(status, String.valueOf(detail));
    body.setType(type());
    body.setTitle(word().replace('-', ' '));
    return body;
  }

  /** For answers that are written past Spring. */
  static String json(ProblemDetail problem) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("type", problem.getType());
    fields.put("title", problem.getTitle());
    fields.put("status", problem.getStatus());
    fields.put("detail", problem.getDetail());
    return JsonMapper.shared().writeValueAsString(fields);
  }
}

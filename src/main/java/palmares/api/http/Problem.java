package palmares.api.http;

import java.net.URI;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import palmares.platform.Refusal;
import palmares.platform.form.Choice;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import tools.jackson.databind.json.JsonMapper;

/**
 * A type of problem in a response. The types are part of the API: they never change, and each is
 * listed in {@code src/docs/api.md}.
 */
public enum Problem implements Choice {
  /** The body is not JSON, or not an object. */
  MALFORMED(HttpStatus.BAD_REQUEST),
  /** The body has an unknown field. */
  UNKNOWN_FIELD(HttpStatus.BAD_REQUEST),
  /** A required field is missing. */
  MISSING_FIELD(HttpStatus.BAD_REQUEST),
  /** A field or parameter has an invalid value. */
  INVALID_FIELD(HttpStatus.BAD_REQUEST),
  /** The {@code Idempotency-Key} is not valid. */
  INVALID_IDEMPOTENCY_KEY(HttpStatus.BAD_REQUEST),
  /** The cursor is not from a response, or belongs to another period. */
  INVALID_CURSOR(HttpStatus.BAD_REQUEST),
  /** The caller has not signed in, or the API key is not valid. */
  UNAUTHORIZED(HttpStatus.UNAUTHORIZED),
  /** The caller has not the role that is needed, or may not use the board. */
  FORBIDDEN(HttpStatus.FORBIDDEN),
  /** Another person must do this, because of what the caller did before. */
  SAME_PERSON(HttpStatus.FORBIDDEN),
  /** The person must change the password first, which somebody else has chosen. */
  PASSWORD_CHANGE_REQUIRED(HttpStatus.FORBIDDEN),
  /** The board does not exist. */
  UNKNOWN_BOARD(HttpStatus.NOT_FOUND),
  /** The period does not exist, or not yet. */
  UNKNOWN_PERIOD(HttpStatus.NOT_FOUND),
  /** No member with this id is on the board, or has registered. */
  UNKNOWN_MEMBER(HttpStatus.NOT_FOUND),
  /** The named revision, account, exclusion, target, family or task does not exist. */
  UNKNOWN_OBJECT(HttpStatus.NOT_FOUND),
  /** A person or a key with this name exists, or does not. */
  ACCOUNT_REFUSED(HttpStatus.CONFLICT),
  /** The password or key was in the answer to the first request, and is not kept. */
  SECRET_ALREADY_SHOWN(HttpStatus.CONFLICT),
  /** The external id is registered with other details. */
  ALREADY_REGISTERED(HttpStatus.CONFLICT),
  /** Another member has the wanted id. */
  MEMBER_TAKEN(HttpStatus.CONFLICT),
  /** The board is adopted: it takes no events, and can be read only once it is settled. */
  ADOPTED(HttpStatus.CONFLICT),
  /** The event arrived after the seal or the grace. */
  LATE(HttpStatus.CONFLICT),
  /** The first request with this {@code Idempotency-Key} is still being processed. */
  IDEMPOTENCY_KEY_IN_USE(HttpStatus.CONFLICT, 1),
  /** The state of the object does not allow the verb. */
  WRONG_STATE(HttpStatus.CONFLICT),
  /** Another process works on the period. */
  PERIOD_BUSY(HttpStatus.CONFLICT, 20),
  /** The period would not verify, so nothing was posted. */
  NOT_VERIFIED(HttpStatus.CONFLICT),
  /** A closing failed; the sweep retries it. */
  CLOSING_FAILED(HttpStatus.INTERNAL_SERVER_ERROR),
  /** Events of the period are missing, quarantined or decided differently. */
  EVENTS_MISSING(HttpStatus.CONFLICT),
  /** The cursor's line moved before the period was settled. */
  STALE_CURSOR(HttpStatus.GONE),
  /** What {@code If-Match} names has changed since the caller saw it, or cannot be compared. */
  STALE_VIEW(HttpStatus.PRECONDITION_FAILED),
  /** The body is too large. */
  TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE),
  /** The request has too many events. */
  TOO_MANY_EVENTS(HttpStatus.CONTENT_TOO_LARGE),
  /** The request names too many members. */
  TOO_MANY_MEMBERS(HttpStatus.CONTENT_TOO_LARGE),
  /** The {@code Idempotency-Key} was used for a different request. */
  IDEMPOTENCY_KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT),
  /** No board, or not the named one, counts the action. */
  UNKNOWN_ACTION(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The board requires {@code occurredAt}. */
  MISSING_TIME(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The time is in the future. */
  FUTURE_TIME(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The board has no period at the time. */
  NO_PERIOD(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The board does not allow to undo the action. */
  UNDO_NOT_ALLOWED(HttpStatus.UNPROCESSABLE_CONTENT),
  /** There was nothing to undo. */
  NOTHING_TO_UNDO(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The member has done this action as often as it counts. */
  REPEATED(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The member has done this action as often as it counts in a day or period. */
  CAPPED(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The value is not better than the member's present one. */
  NOT_BETTER(HttpStatus.UNPROCESSABLE_CONTENT),
  /** A different event with this id was taken before. */
  CONFLICTING_ID(HttpStatus.UNPROCESSABLE_CONTENT),
  /** No member has the invite code. */
  UNKNOWN_CODE(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The member would be credited for inviting itself. */
  SELF_INVITE(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The points would exceed the board's maximum. */
  MAX_POINTS(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The second key would exceed the board's maximum. */
  MAX_THEN_BY(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The period has reached the number of events that it can order by arrival. */
  MAX_EVENTS(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The quantity exceeds the maximum of an event. */
  MAX_QUANTITY(HttpStatus.UNPROCESSABLE_CONTENT),
  /** The request cannot be parsed. */
  BAD_REQUEST(HttpStatus.BAD_REQUEST),
  /** The body did not arrive in time. */
  REQUEST_TIMEOUT(HttpStatus.REQUEST_TIMEOUT),
  /** The caller sends too many requests, or its address too many transfers or wrong keys. */
  TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS, 1),
  /** The caller, or the address of one who has not signed in, has the maximum of open streams. */
  TOO_MANY_STREAMS(HttpStatus.TOO_MANY_REQUESTS, 30),
  /** The path does not exist. */
  NOT_FOUND(HttpStatus.NOT_FOUND),
  /** The path does not support the method. */
  METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED),
  /** No response has a media type that the client accepts. */
  NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE),
  /** The path does not support the media type of the body. */
  UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE),
  /** The request is for a proxy, or has an unknown transfer encoding. */
  NOT_IMPLEMENTED(HttpStatus.NOT_IMPLEMENTED),
  /** The server has failed. */
  INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR),
  /** Other large requests take all the memory or transfers that are reserved for them. */
  OVERLOADED(HttpStatus.SERVICE_UNAVAILABLE, 1),
  /** The maximum number of streams is open. */
  TOO_MANY_WATCHERS(HttpStatus.SERVICE_UNAVAILABLE, 30),
  /** Too many events are queued for commit. */
  BUSY(HttpStatus.SERVICE_UNAVAILABLE, 1),
  /** Redis has lost the live board. */
  LIVE_BOARD_GONE(HttpStatus.SERVICE_UNAVAILABLE, 5),
  /** The live board is being rebuilt from its journal. */
  REBUILDING(HttpStatus.SERVICE_UNAVAILABLE, 5),
  /** Redis has lost a part of the live board. */
  TORN(HttpStatus.SERVICE_UNAVAILABLE, 30),
  /** The journal lacks events that the live board has counted. */
  JOURNAL_GAP(HttpStatus.SERVICE_UNAVAILABLE, 30),
  /** The board's journal in Redis is full until it is drained to PostgreSQL. */
  BACKLOG(HttpStatus.SERVICE_UNAVAILABLE, 30),
  /** Redis does not answer. */
  REDIS_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, 5),
  /** Redis was started and still loads its data. */
  REDIS_LOADING(HttpStatus.SERVICE_UNAVAILABLE, 5),
  /** Redis has reached its memory limit. */
  REDIS_FULL(HttpStatus.SERVICE_UNAVAILABLE, 30),
  /** Redis is a cluster, but was not configured as one; retries do not help. */
  REDIS_CLUSTER(HttpStatus.SERVICE_UNAVAILABLE),
  /** Redis is a replica, such as a master that was demoted, and rejects writes. */
  REDIS_REPLICA(HttpStatus.SERVICE_UNAVAILABLE, 5),
  /** Redis cannot save its data, and rejects writes. */
  REDIS_CANNOT_SAVE(HttpStatus.SERVICE_UNAVAILABLE, 30),
  /** Redis has fewer replicas than it is configured to need, and rejects writes. */
  REDIS_TOO_FEW_REPLICAS(HttpStatus.SERVICE_UNAVAILABLE, 30),
  /** Redis does not allow its user a command or a key; retries do not help. */
  REDIS_FORBIDDEN(HttpStatus.SERVICE_UNAVAILABLE),
  /** The Redis cluster does not serve all of its slots. */
  REDIS_CLUSTER_DOWN(HttpStatus.SERVICE_UNAVAILABLE, 5),
  /** The slot of the board moves to another node of the Redis cluster. */
  REDIS_SLOT_MOVING(HttpStatus.SERVICE_UNAVAILABLE, 5),
  /** A command has keys of several slots of the Redis cluster; retries do not help. */
  REDIS_CROSS_SLOT(HttpStatus.SERVICE_UNAVAILABLE),
  /** PostgreSQL does not answer. */
  DATABASE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, 5);

  static final String TYPE_PREFIX = "urn:palmares:problem:";

  private final HttpStatus status;
  private final int retrySeconds;

  Problem(HttpStatus status) {
    this(status, 0);
  }

  Problem(HttpStatus status, int retrySeconds) {
    this.status = status;
    this.retrySeconds = retrySeconds;
  }

  /** Whether the problem of that name is one of the server, rather than of the request. */
  public static boolean isOfServer(String word) {
    return Choice.of(Problem.class, word).status.is5xxServerError();
  }

  /** Returns the problem with the name of a reason. */
  public static Problem of(Choice reason) {
    return valueOf(reason.name());
  }

  /** Finds the problem of a type; empty if there is none. */
  public static Optional<Problem> find(String type) {
    return Arrays.stream(values())
        .filter(problem -> type.equals(TYPE_PREFIX + problem.word()))
        .findFirst();
  }

  /** Returns the problem for a refusal by Spring or Tomcat, of which only the status is known. */
  static Problem of(HttpStatusCode status) {
    if (status == HttpStatus.HTTP_VERSION_NOT_SUPPORTED) {
      return NOT_IMPLEMENTED;
    }
    return Arrays.stream(values())
        .filter(problem -> problem.name().equals(name(status)))
        .findFirst()
        .orElse(status.is4xxClientError() ? BAD_REQUEST : INTERNAL);
  }

  private static @Nullable String name(HttpStatusCode status) {
    HttpStatus known = HttpStatus.resolve(status.value());
    return known == null ? null : known.name();
  }

  public HttpStatus status() {
    return status;
  }

  /** Returns the value of {@code Retry-After} in seconds; empty if waiting does not help. */
  OptionalInt retrySeconds() {
    return retrySeconds == 0 ? OptionalInt.empty() : OptionalInt.of(retrySeconds);
  }

  /** Whether the caller's request is fine, and the same request may succeed later. */
  public boolean isFailure() {
    return status.is5xxServerError()
        || switch (this) {
          case PERIOD_BUSY, NOT_VERIFIED, EVENTS_MISSING, TOO_MANY_REQUESTS, TOO_MANY_STREAMS ->
              true;
          default -> false;
        };
  }

  URI type() {
    return URI.create(TYPE_PREFIX + word());
  }

  /** Returns the problem details of a refusal, with what is wrong and what can be done as data. */
  public ProblemDetail detail(Refusal refusal) {
    return detail(refusal, refusal.said());
  }

  /** As {@link #detail(Refusal)}, in other words. */
  ProblemDetail detail(Refusal refusal, Sentence said) {
    ProblemDetail body = detail(status, said);
    if (!refusal.faults().isEmpty()) {
      body.setProperty(
          "errors",
          refusal.faults().stream()
              .map(
                  fault -> {
                    var error = new LinkedHashMap<String, @Nullable Object>();
                    error.put("pointer", fault.pointer());
                    error.put("code", fault.said().code());
                    error.put("values", fault.said().values());
                    error.put("text", Texts.here().of(fault.said()));
                    return error;
                  })
              .toList());
    }
    if (!refusal.next().isEmpty()) {
      body.setProperty("next", refusal.next());
    }
    return body;
  }

  /** Returns problem details with what was said, in the language of the caller. */
  public ProblemDetail detail(HttpStatus status, Sentence said) {
    ProblemDetail body = ProblemDetail.forStatusAndDetail(status, Texts.here().of(said));
    body.setType(type());
    body.setTitle(word().replace('-', ' '));
    if (!said.isVerbatim()) {
      body.setProperty("code", said.code());
      body.setProperty("values", said.values());
    }
    return body;
  }

  /** Encodes problem details for responses that Spring does not write. */
  static String json(ProblemDetail problem) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("type", problem.getType());
    fields.put("title", problem.getTitle());
    fields.put("status", problem.getStatus());
    fields.put("detail", problem.getDetail());
    if (problem.getProperties() != null) {
      fields.putAll(problem.getProperties());
    }
    return JsonMapper.shared().writeValueAsString(fields);
  }
}

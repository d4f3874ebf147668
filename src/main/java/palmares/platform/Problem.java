package palmares.platform;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import palmares.platform.text.Choice;

/**
 * Why something is refused, which is a type of problem in a response. The types are part of the
 * API: they never change, and each is listed in {@code src/docs/api.md}.
 */
public enum Problem implements Choice {
  /** The body is not JSON, or not an object. */
  MALFORMED(400),
  /** The body has an unknown field. */
  UNKNOWN_FIELD(400),
  /** A required field is missing. */
  MISSING_FIELD(400),
  /** A field or parameter has an invalid value. */
  INVALID_FIELD(400),
  /** The {@code Idempotency-Key} is not valid. */
  INVALID_IDEMPOTENCY_KEY(400),
  /** The cursor is not from a response, or belongs to another period. */
  INVALID_CURSOR(400),
  /** The caller has not signed in, or the API key is not valid. */
  UNAUTHORIZED(401),
  /** The caller has not the role that is needed, or may not use the board. */
  FORBIDDEN(403),
  /** Another person must do this, because of what the caller did before. */
  SAME_PERSON(403),
  /** The person must change the password first, which somebody else has chosen. */
  PASSWORD_CHANGE_REQUIRED(403),
  /** The board does not exist. */
  UNKNOWN_BOARD(404),
  /** The period does not exist, or not yet. */
  UNKNOWN_PERIOD(404),
  /** No member with this id is on the board, or has registered. */
  UNKNOWN_MEMBER(404),
  /** The named revision, account, exclusion, target, family or task does not exist. */
  UNKNOWN_OBJECT(404),
  /** A person or a key with this name exists, or does not. */
  ACCOUNT_REFUSED(409),
  /** The password or key was in the answer to the first request, and is not kept. */
  SECRET_ALREADY_SHOWN(409),
  /** The external id is registered with other details. */
  ALREADY_REGISTERED(409),
  /** Another member has the wanted id. */
  MEMBER_TAKEN(409),
  /** The board is adopted: it takes no events, and can be read only once it is settled. */
  ADOPTED(409),
  /** The event arrived after the seal or the grace. */
  LATE(409),
  /** The first request with this {@code Idempotency-Key} is still being processed. */
  IDEMPOTENCY_KEY_IN_USE(409, 1),
  /** The state of the object does not allow the verb. */
  WRONG_STATE(409),
  /** Another process works on the period. */
  PERIOD_BUSY(409, 20),
  /** The period would not verify, so nothing was posted. */
  NOT_VERIFIED(409),
  /** A closing failed; it is tried again. */
  CLOSING_FAILED(500),
  /** Events of the period are missing, quarantined or decided differently. */
  EVENTS_MISSING(409),
  /** The cursor's line moved before the period was settled. */
  STALE_CURSOR(410),
  /** What {@code If-Match} names has changed since the caller saw it, or cannot be compared. */
  STALE_VIEW(412),
  /** The body is too large. */
  TOO_LARGE(413),
  /** The request has too many events. */
  TOO_MANY_EVENTS(413),
  /** The request names too many members. */
  TOO_MANY_MEMBERS(413),
  /** The {@code Idempotency-Key} was used for a different request. */
  IDEMPOTENCY_KEY_REUSED(422),
  /** No board, or not the named one, counts the action. */
  UNKNOWN_ACTION(422),
  /** The board requires {@code occurredAt}. */
  MISSING_TIME(422),
  /** The time is in the future. */
  FUTURE_TIME(422),
  /** The board has no period at the time. */
  NO_PERIOD(422),
  /** The board does not allow to undo the action. */
  UNDO_NOT_ALLOWED(422),
  /** There was nothing to undo. */
  NOTHING_TO_UNDO(422),
  /** The member has done this action as often as it counts. */
  REPEATED(422),
  /** The member has done this action as often as it counts in a day or period. */
  CAPPED(422),
  /** The value is not better than the member's present one. */
  NOT_BETTER(422),
  /** A different event with this id was taken before. */
  CONFLICTING_ID(422),
  /** No member has the invite code. */
  UNKNOWN_CODE(422),
  /** The member would be credited for inviting itself. */
  SELF_INVITE(422),
  /** Invites must qualify there, and Palmares alone credits their inviters. */
  DERIVED_ACTION(422),
  /** The points would exceed the board's maximum. */
  MAX_POINTS(422),
  /** The second key would exceed the board's maximum. */
  MAX_THEN_BY(422),
  /** The period has reached the number of events that it can order by arrival. */
  MAX_EVENTS(422),
  /** The quantity exceeds the maximum of an event. */
  MAX_QUANTITY(422),
  /** The request cannot be parsed. */
  BAD_REQUEST(400),
  /** The body did not arrive in time. */
  REQUEST_TIMEOUT(408),
  /** The caller sends too many requests, or its address too many transfers or wrong keys. */
  TOO_MANY_REQUESTS(429, 1),
  /** The caller, or the address of one who has not signed in, has the maximum of open streams. */
  TOO_MANY_STREAMS(429, 30),
  /** The path does not exist. */
  NOT_FOUND(404),
  /** The path does not support the method. */
  METHOD_NOT_ALLOWED(405),
  /** No response has a media type that the client accepts. */
  NOT_ACCEPTABLE(406),
  /** The path does not support the media type of the body. */
  UNSUPPORTED_MEDIA_TYPE(415),
  /** The request is for a proxy, or has an unknown transfer encoding. */
  NOT_IMPLEMENTED(501),
  /** The server has failed. */
  INTERNAL(500),
  /** Other large requests take all the memory or transfers that are reserved for them. */
  OVERLOADED(503, 1),
  /** The maximum number of streams is open. */
  TOO_MANY_WATCHERS(503, 30),
  /** Too many events are queued for commit. */
  BUSY(503, 1),
  /** Redis has lost the live board. */
  LIVE_BOARD_GONE(503, 5),
  /** The live board is being rebuilt from its journal. */
  REBUILDING(503, 5),
  /** Redis has lost a part of the live board. */
  TORN(503, 30),
  /** The journal lacks events that the live board has counted. */
  JOURNAL_GAP(503, 30),
  /** The board's journal in Redis is full until it is drained to PostgreSQL. */
  BACKLOG(503, 30),
  /** Redis does not answer. */
  REDIS_UNAVAILABLE(503, 5),
  /** Redis was started and still loads its data. */
  REDIS_LOADING(503, 5),
  /** Redis has reached its memory limit. */
  REDIS_FULL(503, 30),
  /** Redis is a cluster, but was not configured as one; retries do not help. */
  REDIS_CLUSTER(503),
  /** Redis is a replica, such as a master that was demoted, and rejects writes. */
  REDIS_REPLICA(503, 5),
  /** Redis cannot save its data, and rejects writes. */
  REDIS_CANNOT_SAVE(503, 30),
  /** Redis has fewer replicas than it is configured to need, and rejects writes. */
  REDIS_TOO_FEW_REPLICAS(503, 30),
  /** Redis does not allow its user a command or a key; retries do not help. */
  REDIS_FORBIDDEN(503),
  /** The Redis cluster does not serve all of its slots. */
  REDIS_CLUSTER_DOWN(503, 5),
  /** The slot of the board moves to another node of the Redis cluster. */
  REDIS_SLOT_MOVING(503, 5),
  /** A command has keys of several slots of the Redis cluster; retries do not help. */
  REDIS_CROSS_SLOT(503),
  /** Another database uses the live boards, another server the name, or a newer version runs. */
  SUSPENDED(503, 30),
  /** PostgreSQL does not answer. */
  DATABASE_UNAVAILABLE(503, 5);

  private static final String TYPE_PREFIX = "urn:palmares:problem:";

  private final int status;
  private final int retrySeconds;

  Problem(int status) {
    this(status, 0);
  }

  Problem(int status, int retrySeconds) {
    this.status = status;
    this.retrySeconds = retrySeconds;
  }

  /** Whether the problem of that name is one of the server, rather than of the request. */
  public static boolean isOfServer(String word) {
    return Choice.of(Problem.class, word).isOfServer();
  }

  /** Returns the problem with the name of a reason. */
  public static Problem of(Choice reason) {
    return valueOf(reason.name());
  }

  /** Finds the problem of a type; empty if there is none. */
  public static Optional<Problem> find(String type) {
    return Arrays.stream(values()).filter(problem -> problem.type().equals(type)).findFirst();
  }

  /** Returns the status of HTTP. */
  public int status() {
    return status;
  }

  /** Returns the value of {@code Retry-After} in seconds; empty if waiting does not help. */
  public OptionalInt retrySeconds() {
    return retrySeconds == 0 ? OptionalInt.empty() : OptionalInt.of(retrySeconds);
  }

  /** Whether it is one of the server, rather than of the request. */
  public boolean isOfServer() {
    return status >= 500;
  }

  /** Whether the caller's request is fine, and the same request may succeed later. */
  public boolean isFailure() {
    return isOfServer()
        || switch (this) {
          case PERIOD_BUSY, NOT_VERIFIED, EVENTS_MISSING, TOO_MANY_REQUESTS, TOO_MANY_STREAMS ->
              true;
          default -> false;
        };
  }

  /** Returns the URI of the type. */
  public String type() {
    return TYPE_PREFIX + word();
  }
}

package palmares.writer;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import palmares.intake.LiveBoardGone;
import palmares.intake.Refusal;
import palmares.live.LiveUnavailable;

/** Turns what went wrong into RFC 9457 problem details, whose types never change. */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {
  /** Every problem's type begins so. */
  static final String TYPE = "urn:palmares:problem:";

  private static final String RETRY_SECONDS = "5";

  @ExceptionHandler
  ResponseEntity<ProblemDetail> refusal(Refusal refusal) {
    return problem(HttpStatus.BAD_REQUEST, refusal.reason().word(), refusal.detail());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> unauthorized(Unauthorized e) {
    return ResponseEntity.status(HttpStatus.UNAUTHORIZED)
        .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
        .body(detail(HttpStatus.UNAUTHORIZED, "unauthorized", e.getMessage()));
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> notFound(NotFound e) {
    return problem(HttpStatus.NOT_FOUND, e.problem(), e.getMessage());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> tooLarge(TooLarge e) {
    return problem(HttpStatus.CONTENT_TOO_LARGE, "too-large", e.getMessage());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> liveBoardGone(LiveBoardGone e) {
    return unavailable("live-board-gone", e.getMessage());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> redisUnavailable(LiveUnavailable e) {
    logger.error(e.getMessage());
    return unavailable(
        "redis-unavailable",
        "Redis does not answer: send the request again, events with the same ids count once");
  }

  @ExceptionHandler({
    DataAccessResourceFailureException.class,
    TransientDataAccessException.class,
    CannotCreateTransactionException.class
  })
  ResponseEntity<ProblemDetail> databaseUnavailable(RuntimeException e) {
    logger.error(e.getMessage());
    return unavailable(
        "database-unavailable",
        "PostgreSQL does not answer: send the request again, events with the same ids count once");
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> fault(Exception e) {
    logger.error("a fault of ours", e);
    return problem(
        HttpStatus.INTERNAL_SERVER_ERROR,
        "internal",
        "a fault of ours, which the server's log tells more of; sending events again is safe");
  }

  /** What Spring itself refuses gets a type too, from the status's name. */
  @Override
  protected @Nullable ResponseEntity<Object> handleExceptionInternal(
      Exception e,
      @Nullable Object body,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    ResponseEntity<Object> answer =
        super.handleExceptionInternal(e, body, headers, status, request);
    if (answer != null && answer.getBody() instanceof ProblemDetail problem) {
      problem.setType(type(HttpStatus.valueOf(status.value())));
    }
    return answer;
  }

  static URI type(HttpStatus status) {
    return URI.create(TYPE + status.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  private static ResponseEntity<ProblemDetail> unavailable(
      String problem, @Nullable String detail) {
    return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
        .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
        .body(detail(HttpStatus.SERVICE_UNAVAILABLE, problem, detail));
  }

  private static ResponseEntity<ProblemDetail> problem(
      HttpStatus status, String problem, @Nullable String detail) {
    return ResponseEntity.status(status).body(detail(status, problem, detail));
  }

  static ProblemDetail detail(HttpStatus status, String problem, @Nullable String detail) {
    ProblemDetail body = ProblemDetail.forStatusAndDetail(status, String.valueOf(detail));
    body.setType(URI.create(TYPE + problem));
    body.setTitle(problem.replace('-', ' '));
    return body;
  }
}

package palmares.api.http;

import java.sql.SQLException;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import palmares.live.board.LiveBoardGone;
import palmares.live.board.LiveBoardHeld;
import palmares.live.intake.Refusal;
import palmares.live.relay.RelayBacklogFull;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;

/** Turns what went wrong into RFC 9457 problem details, whose types never change. */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
  private static final String ONCE =
      ": send the request again, events with the same ids count once";

  private final Outages outages;

  Problems(Loops loops) {
    this.outages = loops.outages();
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> problem(ProblemException e) {
    return answer(e.problem(), e.getMessage());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> refusal(Refusal refusal) {
    return answer(Problem.of(refusal.reason()), refusal.detail());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> busy(RelayBacklogFull e) {
    return answer(Problem.BUSY, e.getMessage() + ": send the request again");
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> liveBoardGone(LiveBoardGone e) {
    return answer(Problem.LIVE_BOARD_GONE, e.getMessage());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> liveBoardHeld(LiveBoardHeld e) {
    return answer(
        switch (e.why()) {
          case REBUILDING -> Problem.REBUILDING;
          case BACKLOG -> Problem.BACKLOG;
          case FORGOTTEN -> Problem.DATABASE_UNAVAILABLE;
        },
        e.getMessage() + ONCE);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> redisUnavailable(RedisUnavailable e) {
    outages.noteRequest(e);
    return switch (e.reason()) {
      case NO_ANSWER -> answer(Problem.REDIS_UNAVAILABLE, "Redis does not answer" + ONCE);
      case LOADING -> answer(Problem.REDIS_LOADING, "Redis still reads its data" + ONCE);
      case OUT_OF_MEMORY ->
          answer(
              Problem.REDIS_FULL,
              "Redis may use no more memory (maxmemory), and takes nothing: give it more" + ONCE);
      case CLUSTER ->
          answer(
              Problem.REDIS_CLUSTER,
              "Redis is one node of a cluster: name its nodes in spring.data.redis.cluster.nodes"
                  + " in place of spring.data.redis.host, and start the writer again");
    };
  }

  /** Whether a transaction that broke off has committed may be unknown: a repeat finds out. */
  @ExceptionHandler({
    DataAccessResourceFailureException.class,
    TransientDataAccessException.class,
    RecoverableDataAccessException.class,
    CannotCreateTransactionException.class,
    TransactionSystemException.class,
    TransactionTimedOutException.class
  })
  ResponseEntity<ProblemDetail> databaseUnavailable(RuntimeException e) {
    if (!outages.noteRequest(e)) {
      logger.error(e.getMessage());
    }
    return answer(Problem.DATABASE_UNAVAILABLE, "PostgreSQL does not answer" + ONCE);
  }

  /** PostgreSQL gives each of its errors a state; the pool gives none to a closed connection. */
  @ExceptionHandler
  @Nullable ResponseEntity<ProblemDetail> uncategorized(UncategorizedSQLException e) {
    boolean stateless = e.getCause() instanceof SQLException cause && cause.getSQLState() == null;
    return stateless ? databaseUnavailable(e) : fault(e);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> unreadableParameters(InvalidParameterException e) {
    return problem(unreadable());
  }

  /**
   * Bytes that are no UTF-8, a broken escape, or more parameters than a query may have. Tomcat's
   * message is not logged: it has a caller's text, which can hold line ends.
   */
  static ProblemException unreadable() {
    LOG.info("a query cannot be read: bad UTF-8, a broken escape, or too many parameters");
    return new ProblemException(
        Problem.BAD_REQUEST,
        "the query cannot be read: escape it as UTF-8, and send at most 1,000 parameters");
  }

  @ExceptionHandler
  @Nullable ResponseEntity<ProblemDetail> fault(Exception e) {
    OutOfMemory.exitIfCauseOf(e);
    if (isHangUp(e)) {
      LOG.debug("a caller hung up: {}", e.getMessage());
      return null;
    }
    logger.error("a fault of ours", e);
    return answer(
        Problem.INTERNAL,
        "a fault of ours, which the server's log tells more of; sending events again is safe");
  }

  /** Whether the caller is gone; a connection to a server of ours may break off as well. */
  private static boolean isHangUp(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof ClientAbortException)) {
      cause = cause.getCause();
    }
    return cause != null;
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
      problem.setType(Problem.of(status).type());
    }
    return answer;
  }

  private static ResponseEntity<ProblemDetail> answer(Problem problem, @Nullable String detail) {
    var answer = ResponseEntity.status(problem.status());
    problem
        .retrySeconds()
        .ifPresent(seconds -> answer.header(HttpHeaders.RETRY_AFTER, seconds + ""));
    if (problem == Problem.UNAUTHORIZED) {
      answer.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    return answer.body(problem.detail(detail));
  }
}

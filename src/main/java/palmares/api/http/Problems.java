package palmares.api.http;

import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.HttpMediaTypeException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import palmares.live.intake.JsonFault;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Sentence;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;
import tools.jackson.core.JacksonException;

/** Answers failed requests with RFC 9457 problem details. */
@RestControllerAdvice
public class Problems extends ResponseEntityExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  /** What a request without a valid key must send. */
  static final String CHALLENGE = "Bearer realm=\"palmares\"";

  private static final ExceptionHandlerMethodResolver HANDLERS =
      new ExceptionHandlerMethodResolver(Problems.class);

  private static final int MAX_PARAMETERS = 1_000;

  /** The SQL state of a text that PostgreSQL cannot store. */
  private static final String NOT_A_CHARACTER = "22021";

  private final Outages outages;

  Problems(Loops loops) {
    this.outages = loops.outages();
  }

  /**
   * Answers the failure of a request for a page, as that of one to the API.
   *
   * @return null if the client has disconnected
   */
  public @Nullable ResponseEntity<?> answer(Exception e, WebRequest request) {
    Method handler = Objects.requireNonNull(HANDLERS.resolveMethod(e));
    Object[] arguments =
        handler.getParameterCount() == 1 ? new Object[] {e} : new Object[] {e, request};
    ReflectionUtils.makeAccessible(handler);
    return (ResponseEntity<?>) ReflectionUtils.invokeMethod(handler, this, arguments);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> refusal(Refusal refusal) {
    Sentence said =
        switch (refusal.problem()) {
          case BUSY, REBUILDING, TORN, JOURNAL_GAP, BACKLOG, SUSPENDED, DATABASE_UNAVAILABLE ->
              new HttpSentences.SendAgain(refusal.said());
          default -> refusal.said();
        };
    return answer(refusal.problem(), ProblemDetails.of(refusal, said), refusal.retrySeconds());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> redisUnavailable(RedisUnavailable e) {
    outages.noteRequest(e);
    Problem problem =
        switch (e.reason()) {
          case NO_ANSWER -> Problem.REDIS_UNAVAILABLE;
          case LOADING -> Problem.REDIS_LOADING;
          case OUT_OF_MEMORY -> Problem.REDIS_FULL;
          case CLUSTER -> Problem.REDIS_CLUSTER;
          case REPLICA -> Problem.REDIS_REPLICA;
          case CANNOT_SAVE -> Problem.REDIS_CANNOT_SAVE;
          case TOO_FEW_REPLICAS -> Problem.REDIS_TOO_FEW_REPLICAS;
          case FORBIDDEN -> Problem.REDIS_FORBIDDEN;
          case CLUSTER_DOWN -> Problem.REDIS_CLUSTER_DOWN;
          case SLOT_MOVING -> Problem.REDIS_SLOT_MOVING;
          case CROSS_SLOT -> Problem.REDIS_CROSS_SLOT;
        };
    boolean mayRetry = problem.retrySeconds().isPresent();
    Sentence said = e.reason().said();
    return answer(problem, mayRetry ? new HttpSentences.SendAgain(said) : said);
  }

  /** The transaction may have been committed; sending the request again finds out. */
  @ExceptionHandler({
    DataAccessResourceFailureException.class,
    TransientDataAccessException.class,
    RecoverableDataAccessException.class,
    CannotCreateTransactionException.class,
    TransactionSystemException.class,
    TransactionTimedOutException.class
  })
  ResponseEntity<ProblemDetail> databaseUnavailable(RuntimeException e) {
    // What ended a connection says more than that nothing can be rolled back on it.
    Throwable first =
        e instanceof TransactionSystemException ended
            ? Objects.requireNonNullElse(ended.getOriginalException(), e)
            : e;
    if (!outages.noteRequest(first)) {
      logger.error(e.getMessage());
    }
    return answer(
        Problem.DATABASE_UNAVAILABLE,
        new HttpSentences.SendAgain(new HttpSentences.DatabaseUnavailable()));
  }

  /** An error without an SQL state comes from the pool, whose connection was closed. */
  @ExceptionHandler
  @Nullable ResponseEntity<ProblemDetail> uncategorized(UncategorizedSQLException e) {
    boolean stateless = e.getCause() instanceof SQLException cause && cause.getSQLState() == null;
    return stateless ? databaseUnavailable(e) : internal(e);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> unparsableParameters(InvalidParameterException e) {
    return refusal(unparsableQuery());
  }

  /**
   * Returns the problem of a query with invalid UTF-8, a broken escape, or too many parameters.
   * Does not log Tomcat's message, which contains the client's text.
   */
  static Refusal unparsableQuery() {
    LOG.info("a query cannot be parsed: bad UTF-8, a broken escape, or too many parameters");
    return new Refusal(Problem.BAD_REQUEST, new HttpSentences.UnparsableQuery(MAX_PARAMETERS));
  }

  /** No other text is known that the checks of Java let through and PostgreSQL does not. */
  @ExceptionHandler
  @Nullable ResponseEntity<ProblemDetail> unstorable(DataIntegrityViolationException e) {
    return e.getMostSpecificCause() instanceof SQLException cause
            && NOT_A_CHARACTER.equals(cause.getSQLState())
        ? answer(Problem.INVALID_FIELD, new HttpSentences.HasNul())
        : internal(e);
  }

  @ExceptionHandler
  @Nullable ResponseEntity<ProblemDetail> internal(Exception e) {
    OutOfMemory.exitIfCauseOf(e);
    if (isDisconnect(e)) {
      LOG.debug("a client disconnected: {}", e.getMessage());
      return null;
    }
    logger.error("a request failed", e);
    return answer(Problem.INTERNAL, new HttpSentences.Failed());
  }

  /** Whether the client has disconnected. Connections to PostgreSQL or Redis fail otherwise. */
  private static boolean isDisconnect(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof ClientAbortException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  /** Says where a body is no JSON; {@link RequestFields} names its fields. */
  @Override
  protected ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    return typed(unreadable(e.getCause()));
  }

  private static Refusal unreadable(@Nullable Throwable cause) {
    return new Refusal(
        Problem.MALFORMED,
        cause instanceof JacksonException broken
            ? new HttpSentences.NotJson(JsonFault.of(broken))
            : new HttpSentences.NoObject());
  }

  private static Refusal invalid(String field, Function<String, Sentence> said) {
    return new Refusal(Problem.INVALID_FIELD, said.apply(field)).at(field);
  }

  /** Says which parameter of a path or query is wrong, and what it takes. */
  @Override
  protected @Nullable ResponseEntity<Object> handleTypeMismatch(
      TypeMismatchException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
    Class<?> type = e.getRequiredType();
    String value =
        e.getValue() instanceof String[] all ? String.join(",", all) : String.valueOf(e.getValue());
    return typed(
        invalid(
            String.valueOf(e.getPropertyName()),
            field ->
                type == boolean.class || type == Boolean.class
                    ? new HttpSentences.NoFlag(field, value)
                    : type == long.class || type == Long.class
                        ? new InputSentences.NotANumber(field, value)
                        : new HttpSentences.NoNumberUpTo(field, Integer.MAX_VALUE, value)));
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleMissingServletRequestParameter(
      MissingServletRequestParameterException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    String name = e.getParameterName();
    return typed(new Refusal(Problem.MISSING_FIELD, new HttpSentences.NoParameter(name)).at(name));
  }

  private static ResponseEntity<Object> typed(Refusal e) {
    return typed(HttpStatusCode.valueOf(e.problem().status())).body(ProblemDetails.of(e));
  }

  /** Spring would send nothing to who cannot take a problem, or whose {@code Accept} is broken. */
  private static ResponseEntity.BodyBuilder typed(HttpStatusCode status) {
    return ResponseEntity.status(status).contentType(MediaType.APPLICATION_PROBLEM_JSON);
  }

  @Override
  protected ResponseEntity<Object> createResponseEntity(
      @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
    return typed(status).headers(headers).body(body);
  }

  /** What Spring refuses is a problem like any other. */
  @Override
  protected @Nullable ResponseEntity<Object> handleExceptionInternal(
      Exception e,
      @Nullable Object body,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    return super.handleExceptionInternal(
        e,
        ProblemDetails.of(ProblemDetails.problem(status), status, said(e, status)),
        headers,
        status,
        request);
  }

  private static Sentence said(Exception e, HttpStatusCode status) {
    if (e instanceof HttpRequestMethodNotSupportedException other
        && other.getSupportedMethods() != null) {
      return new HttpSentences.OtherMethod(
          other.getMethod(), Stream.of(other.getSupportedMethods()).sorted().toList());
    }
    if (e instanceof HttpMediaTypeNotSupportedException other
        && !other.getSupportedMediaTypes().isEmpty()) {
      return other.getContentType() == null
          ? new HttpSentences.NoContentType(types(other))
          : new HttpSentences.OtherContentType(other.getContentType().toString(), types(other));
    }
    if (e instanceof HttpMediaTypeNotAcceptableException other) {
      return other.getSupportedMediaTypes().isEmpty()
          ? new HttpSentences.UnreadableAccept()
          : new HttpSentences.NoAcceptedType(types(other));
    }
    return e instanceof NoResourceFoundException none
        ? new HttpSentences.NoPath("/" + none.getResourcePath())
        : ProblemDetails.said(status);
  }

  private static List<String> types(HttpMediaTypeException e) {
    return e.getSupportedMediaTypes().stream().map(MediaType::toString).distinct().toList();
  }

  private static ResponseEntity<ProblemDetail> answer(Problem problem, Sentence said) {
    return answer(problem, ProblemDetails.of(problem, said), problem.retrySeconds());
  }

  private static ResponseEntity<ProblemDetail> answer(
      Problem problem, ProblemDetail body, OptionalInt retrySeconds) {
    var answer = typed(HttpStatusCode.valueOf(problem.status()));
    retrySeconds.ifPresent(seconds -> answer.header(HttpHeaders.RETRY_AFTER, seconds + ""));
    if (problem == Problem.UNAUTHORIZED) {
      answer.header(HttpHeaders.WWW_AUTHENTICATE, CHALLENGE);
    }
    return answer.body(body);
  }
}

package palmares.api.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import palmares.platform.Refusal;
import palmares.platform.text.Fault;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;

/** Causes the request to be answered with a problem. */
public final class ProblemException extends Refusal {
  private final Problem problem;
  private final int retrySeconds;

  /**
   * @param said what happened, and where
   */
  public ProblemException(Problem problem, Sentence said) {
    this(problem, said, problem.retrySeconds().orElse(0));
  }

  /**
   * @param retryAfter when a retry may succeed; rounded up to seconds
   */
  public ProblemException(Problem problem, Sentence said, Duration retryAfter) {
    this(problem, said, Math.max(1, Math.toIntExact(retryAfter.plusMillis(999).toSeconds())));
  }

  private ProblemException(Problem problem, Sentence said, int retrySeconds) {
    super(problem, said, false, false);
    this.problem = problem;
    this.retrySeconds = retrySeconds;
  }

  /** Returns the problem of what was refused, the same everywhere; null for bugs and outages. */
  public static @Nullable ProblemException of(Throwable e) {
    if (e instanceof ProblemException known) {
      return known;
    }
    return e instanceof Refusal refusal
        ? new ProblemException(Problem.of(refusal.reason()), refusal.said())
            .at(refusal.faults())
            .then(refusal.next().toArray(Next[]::new))
        : null;
  }

  /** The same about a field of the request. */
  public ProblemException at(String field) {
    return at(List.of(Fault.of(field, said())));
  }

  /** The same about several fields of the request. */
  ProblemException at(List<Fault> faults) {
    setFaults(faults);
    return this;
  }

  @Override
  public ProblemException then(Next... steps) {
    super.then(steps);
    return this;
  }

  /** Returns the RFC 9457 problem details. */
  public ProblemDetail body() {
    return problem.detail(this);
  }

  public HttpStatus status() {
    return problem.status();
  }

  public Problem problem() {
    return problem;
  }

  /** Returns the value of {@code Retry-After} in seconds; empty if waiting does not help. */
  OptionalInt retrySeconds() {
    return retrySeconds == 0 ? OptionalInt.empty() : OptionalInt.of(retrySeconds);
  }

  /** Writes the problem as the response of a request that Spring MVC does not answer. */
  public void writeTo(HttpServletResponse response) throws IOException {
    if (response.isCommitted()) {
      return;
    }
    response.setStatus(problem.status().value());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    if (retrySeconds > 0) {
      response.setIntHeader(HttpHeaders.RETRY_AFTER, retrySeconds);
    }
    if (problem == Problem.UNAUTHORIZED) {
      response.setHeader(HttpHeaders.WWW_AUTHENTICATE, Problems.CHALLENGE);
    }
    byte[] body = Problem.json(body()).getBytes(StandardCharsets.UTF_8);
    response.setContentLength(body.length); // so that it is complete even if the connection ends
    response.getOutputStream().write(body);
    response.flushBuffer();
  }
}

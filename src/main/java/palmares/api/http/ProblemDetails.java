package palmares.api.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import tools.jackson.databind.json.JsonMapper;

/** Renders refusals as RFC 9457 problem details, in the language of the caller. */
public final class ProblemDetails {
  private ProblemDetails() {}

  /** Returns the details of a refusal, with what is wrong and what can be done as data. */
  public static ProblemDetail of(Refusal refusal) {
    return of(refusal, refusal.said());
  }

  /** As {@link #of(Refusal)}, in other words. */
  static ProblemDetail of(Refusal refusal, Sentence said) {
    ProblemDetail body = of(refusal.problem(), said);
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

  static ProblemDetail of(Problem problem, Sentence said) {
    return of(problem, HttpStatusCode.valueOf(problem.status()), said);
  }

  /** Returns the details of a problem that is answered with another status than its own. */
  public static ProblemDetail of(Problem problem, HttpStatusCode status, Sentence said) {
    ProblemDetail body = ProblemDetail.forStatusAndDetail(status, Texts.here().of(said));
    body.setType(URI.create(problem.type()));
    body.setTitle(Texts.here().word("title", problem.word()));
    if (!said.isVerbatim()) {
      body.setProperty("code", said.code());
      body.setProperty("values", said.values());
    }
    return body;
  }

  /** Returns the problem for a refusal by Spring or Tomcat, of which only the status is known. */
  static Problem problem(HttpStatusCode status) {
    if (status == HttpStatus.HTTP_VERSION_NOT_SUPPORTED) {
      return Problem.NOT_IMPLEMENTED;
    }
    HttpStatus known = HttpStatus.resolve(status.value());
    return Arrays.stream(Problem.values())
        .filter(problem -> known != null && problem.name().equals(known.name()))
        .findFirst()
        .orElse(status.is4xxClientError() ? Problem.BAD_REQUEST : Problem.INTERNAL);
  }

  /** What is said of a refusal of which only the status is known. */
  static Sentence said(HttpStatusCode status) {
    return switch (HttpStatus.valueOf(status.value())) {
      case BAD_REQUEST -> new HttpSentences.Unparsable();
      case METHOD_NOT_ALLOWED -> new HttpSentences.NoMethod();
      case REQUEST_TIMEOUT -> new HttpSentences.Paused();
      case HTTP_VERSION_NOT_SUPPORTED -> new HttpSentences.OtherVersion();
      case NOT_IMPLEMENTED -> new HttpSentences.NoProxy();
      case URI_TOO_LONG, REQUEST_HEADER_FIELDS_TOO_LARGE -> new HttpSentences.TooLong();
      default ->
          status.is4xxClientError() ? new HttpSentences.Refused() : new HttpSentences.Failed();
    };
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

  /** Writes a refusal as the response of a request that Spring MVC does not answer. */
  public static void write(Refusal refusal, HttpServletResponse response) throws IOException {
    if (response.isCommitted()) {
      return;
    }
    response.setStatus(refusal.problem().status());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    refusal
        .retrySeconds()
        .ifPresent(seconds -> response.setIntHeader(HttpHeaders.RETRY_AFTER, seconds));
    if (refusal.problem() == Problem.UNAUTHORIZED) {
      response.setHeader(HttpHeaders.WWW_AUTHENTICATE, Problems.CHALLENGE);
    }
    byte[] body = json(of(refusal)).getBytes(StandardCharsets.UTF_8);
    response.setContentLength(body.length); // so that it is complete even if the connection ends
    response.getOutputStream().write(body);
    response.flushBuffer();
  }
}

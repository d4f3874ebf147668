package palmares.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** Answers with a problem, as {@link Problems} does, what Tomcat refuses before Spring sees it. */
class ProblemValve extends ErrorReportValve {
  private static final int LEAST_ERROR = 400;

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int code = response.getStatus();
    // It answers once, and only what nobody has answered.
    if (code < LEAST_ERROR || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    HttpStatus known = HttpStatus.resolve(code);
    HttpStatus status = known == null ? HttpStatus.BAD_REQUEST : known;
    response.setStatus(status.value());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.setCharacterEncoding(StandardCharsets.UTF_8);
    try {
      Writer body = response.getReporter();
      if (body != null) {
        body.write(problem(status));
        response.finishResponse();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String problem(HttpStatus status) {
    return """
        {"type":"%s","title":"%s","status":%d,"detail":"%s"}"""
        .formatted(
            Problem.of(status).type(), status.getReasonPhrase(), status.value(), detail(status));
  }

  private static String detail(HttpStatus status) {
    return status == HttpStatus.BAD_REQUEST
        ? "the request cannot be read: escape what an address cannot hold, as UTF-8, and no NUL"
        : "the server could not answer; its log may tell more";
  }
}

package palmares.api.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** Answers with a problem, as {@link Problems} does, what Tomcat refuses before Spring sees it. */
class ProblemValve extends ErrorReportValve {
  /** The attribute of a request whose body is left where it is, so that its connection ends. */
  static final String UNREAD = "palmares.unread";

  private static final int LEAST_ERROR = 400;

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    super.invoke(request, response);
    if (request.getAttribute(UNREAD) != null) {
      // Tomcat would wait for the rest of it, however slowly it comes.
      request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    }
  }

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
    response.setHeader("X-Content-Type-Options", "nosniff");
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
    return Problem.json(Problem.of(status).detail(status, detail(status)));
  }

  private static String detail(HttpStatus status) {
    return switch (status) {
      case BAD_REQUEST ->
          "the request cannot be read: escape what an address cannot hold, as UTF-8, and no NUL";
      case METHOD_NOT_ALLOWED -> "this method is not answered at any address";
      case REQUEST_TIMEOUT -> "the request paused for too long: send it in one go";
      case NOT_IMPLEMENTED -> "the server is no proxy, and knows no transfer encoding but chunked";
      case URI_TOO_LONG, REQUEST_HEADER_FIELDS_TOO_LARGE ->
          "the address and the headers together are too long";
      default ->
          status.is4xxClientError()
              ? "the request cannot be answered as it was sent"
              : "the server could not answer; see its log";
    };
  }
}

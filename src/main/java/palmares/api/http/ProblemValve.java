package palmares.api.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** Writes the problems of requests that Tomcat refuses before Spring sees them. */
class ProblemValve extends ErrorReportValve {
  /** Request attribute: the body, which the application has not read to its end. */
  static final String UNREAD = "palmares.unread";

  private static final int MIN_ERROR_STATUS = 400;

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    super.invoke(request, response);
    if (request.getAttribute(UNREAD) instanceof RequestBody body) {
      response.finishResponse();
      // A client with 'Expect: 100-continue' does not send a body that was not read.
      boolean arrives = request.getHeader(HttpHeaders.EXPECT) == null || body.hasBegun();
      if (!arrives || !body.discardRest(new Rest(request.getCoyoteRequest()))) {
        // Otherwise Tomcat would wait for the rest of the body.
        request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
      }
    }
  }

  /** The rest of a body, once the end of the response has closed the application's stream. */
  private static final class Rest extends InputStream implements ApplicationBufferHandler {
    private final org.apache.coyote.Request request;
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    Rest(org.apache.coyote.Request request) {
      this.request = request;
    }

    /** Returns how many bytes came, and none of them. */
    @Override
    public int read(byte[] ignored, int offset, int length) throws IOException {
      return request.doRead(this);
    }

    @Override
    public int read() throws IOException {
      throw new UnsupportedOperationException("bytes are only counted");
    }

    /** Bytes that have arrived, so that a read does not wait. */
    @Override
    public int available() {
      request.action(ActionCode.AVAILABLE, Boolean.TRUE);
      return request.getAvailable();
    }

    @Override
    public void setByteBuffer(ByteBuffer buffer) {
      bytes = buffer;
    }

    @Override
    public ByteBuffer getByteBuffer() {
      return bytes;
    }

    @Override
    public void expand(int size) {
      // Tomcat hands over its own buffer.
    }
  }

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int code = response.getStatus();
    // setErrorReported is false if the error has been reported already.
    if (code < MIN_ERROR_STATUS
        || response.getContentWritten() > 0
        || !response.setErrorReported()) {
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
    return ProblemDetails.json(
        ProblemDetails.of(ProblemDetails.problem(status), status, ProblemDetails.said(status)));
  }
}

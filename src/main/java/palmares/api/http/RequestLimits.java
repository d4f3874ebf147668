package palmares.api.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Holds every request to its share of the server, and refuses a query that cannot be read, before
 * anything else sees it.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
@EnableConfigurationProperties(HttpSettings.class)
class RequestLimits extends OncePerRequestFilter {
  private static final int DEFAULT_THREADS = 200;
  private static final int LEAST_ERROR = 400;

  private final HttpSettings settings;
  private final ServerLoad load;

  RequestLimits(HttpSettings settings, Environment environment) {
    this.settings = settings;
    this.load =
        new ServerLoad(
            settings.memoryBytes(), maxTransfers(environment), settings.transfersPerAddress());
  }

  /** Where a transfer holds a thread, a quarter of the threads stays free of them. */
  private static int maxTransfers(Environment environment) {
    return Threading.VIRTUAL.isActive(environment)
        ? Integer.MAX_VALUE
        : environment.getProperty("server.tomcat.threads.max", Integer.class, DEFAULT_THREADS)
            * 3
            / 4;
  }

  ServerLoad load() {
    return load;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    try (ServerLoad.Share share = load.share(request.getRemoteAddr())) {
      request.setAttribute(ServerLoad.Share.ATTRIBUTE, share);
      RequestBody body = body(request, share);
      try {
        requireReadable(request);
        chain.doFilter(body == null ? request : new WithBody(request, body), response);
      } catch (ProblemException e) {
        answer(response, e);
      } finally {
        if (body != null && !request.isAsyncStarted() && !end(request, response, body)) {
          request.setAttribute(ProblemValve.UNREAD, true);
        }
      }
    } catch (OutOfMemoryError | ServletException e) {
      OutOfMemory.exitIfCauseOf(e);
      throw e;
    }
  }

  private @Nullable RequestBody body(HttpServletRequest request, ServerLoad.Share share) {
    long declared = request.getContentLengthLong();
    if (declared == 0
        || (declared < 0 && request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null)) {
      return null;
    }
    try {
      return new RequestBody(
          request.getInputStream(), declared, share, settings.bodyTimeout(), System::nanoTime);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends the answer, and then takes what still comes of the body.
   *
   * @return whether the body has ended, so that the connection may go on
   */
  private static boolean end(
      HttpServletRequest request, HttpServletResponse response, RequestBody body)
      throws IOException {
    if (body.hasEnded()) {
      return true;
    }
    if (!response.isCommitted() && response.getStatus() >= LEAST_ERROR) {
      return false; // Tomcat answers, behind this filter
    }
    response.getOutputStream().close();
    // Who asks whether to send the body, and gets another answer, does not send it.
    return (request.getHeader(HttpHeaders.EXPECT) == null || body.isBegun()) && body.discardRest();
  }

  private static void requireReadable(HttpServletRequest request) {
    if (request.getContentLengthLong() > RequestBody.MAX_BYTES) {
      throw RequestBody.tooLarge(RequestBody.MAX_BYTES);
    }
    try {
      request.getParameterMap();
    } catch (InvalidParameterException e) {
      throw Problems.unreadable();
    }
  }

  private static void answer(HttpServletResponse response, ProblemException e) throws IOException {
    if (response.isCommitted()) {
      return;
    }
    response.setStatus(e.problem().status().value());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    e.problem()
        .retrySeconds()
        .ifPresent(seconds -> response.setHeader(HttpHeaders.RETRY_AFTER, seconds + ""));
    String problem = Problem.json(e.problem().detail(e.getMessage()));
    byte[] body = problem.getBytes(StandardCharsets.UTF_8);
    response.setContentLength(body.length); // whole even if the connection ends behind it
    response.getOutputStream().write(body);
    response.flushBuffer();
  }

  /** A request whose body is ours. */
  private static final class WithBody extends HttpServletRequestWrapper {
    private final RequestBody body;

    WithBody(HttpServletRequest request, RequestBody body) {
      super(request);
      this.body = body;
    }

    @Override
    public ServletInputStream getInputStream() {
      return body;
    }
  }
}

package palmares.api.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import palmares.platform.Refusal;

/**
 * Applies the limits of {@link ServerLoad} to every request, and refuses requests whose query
 * cannot be parsed. Runs before all other filters.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
@EnableConfigurationProperties(HttpSettings.class)
class RequestLimits extends OncePerRequestFilter {
  private static final int DEFAULT_THREADS = 200;

  private final HttpSettings settings;
  private final ServerLoad load;

  RequestLimits(HttpSettings settings, Environment environment) {
    this.settings = settings;
    this.load =
        new ServerLoad(
            settings.memoryBytes(),
            maxTransfers(environment),
            settings.transfersPerAddress(),
            settings.anonymousTransfersPerAddress());
  }

  /** Keeps a quarter of the threads free of transfers, unless threads are virtual. */
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
        requireParsable(request);
        chain.doFilter(body == null ? request : withBody(request, body), response);
      } catch (Refusal e) {
        ProblemDetails.write(e, response);
      } finally {
        if (body != null && !body.hasEnded() && !request.isAsyncStarted()) {
          request.setAttribute(ProblemValve.UNREAD, body);
        }
      }
    } catch (OutOfMemoryError | ServletException e) {
      OutOfMemory.exitIfCauseOf(e);
      throw e;
    }
  }

  private static HttpServletRequest withBody(HttpServletRequest request, RequestBody body) {
    return FormRequest.is(request) ? new FormRequest(request, body) : new WithBody(request, body);
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

  private static void requireParsable(HttpServletRequest request) {
    if (request.getContentLengthLong() > RequestBody.MAX_BYTES && !FormRequest.is(request)) {
      throw RequestBody.tooLarge(RequestBody.MAX_BYTES);
    }
    try {
      request.getParameterMap();
    } catch (InvalidParameterException e) {
      throw Problems.unparsableQuery();
    }
  }

  /** A request whose body is read through {@link RequestBody}. */
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

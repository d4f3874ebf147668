package palmares.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;
import org.springframework.web.util.WebUtils;

/** Holds the answers of a server to the {@link Contract}, for clients that keep none. */
public final class ContractFilter extends OncePerRequestFilter implements Ordered {
  private final Queue<AssertionError> broken = new ConcurrentLinkedQueue<>();

  /** Before all others, whose answers it sees. */
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  /** Streams have no end. */
  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return request.getRequestURI().endsWith("/stream");
  }

  @Override
  protected boolean shouldNotFilterAsyncDispatch() {
    return false;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var before = WebUtils.getNativeResponse(response, ContentCachingResponseWrapper.class);
    var kept = before == null ? new ContentCachingResponseWrapper(response) : before;
    chain.doFilter(request, kept);
    if (isAsyncStarted(request)) {
      return; // The answer is of another dispatch.
    }
    try {
      Contract.check(
          request.getMethod(),
          request.getRequestURI(),
          kept.getStatus(),
          Objects.requireNonNullElse(kept.getContentType(), ""),
          new String(kept.getContentAsByteArray(), UTF_8));
    } catch (AssertionError e) {
      broken.add(e);
    }
    kept.copyBodyToResponse();
  }

  /**
   * Fails if an answer since the last call was not as described.
   *
   * @throws AssertionError the first of them, with the others
   */
  public void verify() {
    List<AssertionError> all = new ArrayList<>(broken);
    broken.removeAll(all);
    if (!all.isEmpty()) {
      AssertionError first = all.remove(0);
      all.forEach(first::addSuppressed);
      throw first;
    }
  }
}

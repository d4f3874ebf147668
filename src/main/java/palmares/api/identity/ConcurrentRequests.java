package palmares.api.identity;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import palmares.api.roles.Caller;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/**
 * Limits how many requests of one caller to the operations API and the console are answered at a
 * time. Reports may take minutes each, and would hold all threads, also those for events.
 */
@Component
class ConcurrentRequests implements AsyncHandlerInterceptor, WebMvcConfigurer {
  private static final String COUNTED = ConcurrentRequests.class.getName();
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final int max;
  private final Map<String, Integer> byCaller = new ConcurrentHashMap<>();

  ConcurrentRequests(LimitSettings settings) {
    this.max = settings.concurrentRequestsPerCaller();
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry
        .addInterceptor(this)
        .addPathPatterns("/api/v1/ops/**", SecuritySetup.CONSOLE, SecuritySetup.CONSOLE + "/**")
        .excludePathPatterns(SessionCheck.ASSETS + "**");
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    Caller caller = Caller.find().orElse(null);
    if (caller == null || request.getDispatcherType() != DispatcherType.REQUEST) {
      return true;
    }
    if (byCaller.merge(caller.name(), 1, Integer::sum) > max) {
      release(caller.name());
      throw new Refusal(
              Problem.TOO_MANY_REQUESTS, new AccessSentences.TooManyAtOnce(caller.name(), max))
          .after(RETRY_AFTER);
    }
    request.setAttribute(COUNTED, caller.name());
    return true;
  }

  /** A request that waits without a thread is in progress no longer. */
  @Override
  public void afterConcurrentHandlingStarted(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    release(request);
  }

  @Override
  public void afterCompletion(
      HttpServletRequest request,
      HttpServletResponse response,
      Object handler,
      @Nullable Exception failure) {
    release(request);
  }

  private void release(HttpServletRequest request) {
    if (request.getAttribute(COUNTED) instanceof String caller) {
      request.removeAttribute(COUNTED);
      release(caller);
    }
  }

  private void release(String caller) {
    byCaller.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
  }
}

package palmares.api.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import palmares.platform.threads.AnswerTimeouts;

/**
 * Bounds how long a page that is read, a form of a verb, and a request for boards, events or
 * members wait for each answer of PostgreSQL, from the check of the session on. A verb that is cut
 * short is rolled back, or has committed with its task: sent again under its idempotency key, it
 * has one effect. What adds up or compares payments has a longer bound, and so have reads of the
 * operations API, downloads among them. Previews that a person asks for and verbs over many rows
 * have none, because they may take long, nor have forms without such a key: those for signing in
 * and for the own password.
 */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Order(Ordered.HIGHEST_PRECEDENCE)
class PageTimeouts extends OncePerRequestFilter {
  private static final String CONSOLE = "/console";
  private static final String API = "/api/v1/";
  private static final String OPERATIONS = API + "ops/";

  /** Their lines are drained, which waits for closings. */
  private static final String IMPORTS = API + "imports";

  /** The forms with an idempotency key. */
  private static final Pattern FORMS = Pattern.compile(CONSOLE + "/(verbs/.*|people(/.*)?)");

  /** Pages that read as many payments or lines as there are, and forms that show differences. */
  private static final Pattern LONG =
      Pattern.compile(
          "/console/(verbs/.*|tasks/.*|ledger|months/[^/]+|boards/[^/]+(/report)?"
              + "|boards/[^/]+/periods/[^/]+/(revisions|estimate))");

  private final HttpSettings settings;

  PageTimeouts(HttpSettings settings) {
    this.settings = settings;
  }

  private @Nullable Duration bound(HttpServletRequest request) {
    String path = RequestPath.of(request);
    boolean isPage = RequestPath.isWithin(CONSOLE, request);
    if (path.startsWith(API) && !path.startsWith(OPERATIONS) && !path.startsWith(IMPORTS)) {
      return settings.answerTimeout();
    }
    return switch (request.getMethod()) {
      case "GET", "HEAD" ->
          isPage && !LONG.matcher(path).matches()
              ? settings.answerTimeout()
              : isPage || path.startsWith(OPERATIONS) ? settings.reportTimeout() : null;
      case "POST" -> FORMS.matcher(path).matches() ? settings.answerTimeout() : null;
      default -> null;
    };
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Duration bound = bound(request);
    if (bound == null) {
      chain.doFilter(request, response);
      return;
    }
    AnswerTimeouts.bind(bound);
    try {
      chain.doFilter(request, response);
    } finally {
      AnswerTimeouts.unbind();
    }
  }
}

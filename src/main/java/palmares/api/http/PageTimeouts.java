package palmares.api.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import palmares.platform.infra.AnswerTimeouts;

/**
 * Bounds how long a page that is read, and a form of a verb, waits for each answer of PostgreSQL,
 * from the check of the session on. A verb that is cut short is rolled back, or has committed with
 * its task: sent again under its idempotency key, it has one effect. Previews, pages of sums and
 * verbs over many rows are not bounded, because they may take long, nor forms without such a key.
 */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Order(Ordered.HIGHEST_PRECEDENCE)
class PageTimeouts extends OncePerRequestFilter {
  private static final String CONSOLE = "/console";
  private static final String FORMS = CONSOLE + "/act/";

  /** What adds up or compares all payments may take long, and would never be shown in time. */
  private static final Pattern LONG =
      Pattern.compile(
          "/console/(act/.*|ledger|months/.*|boards/[^/]+(/report|/payout)?"
              + "|boards/[^/]+/periods/[^/]+/(revisions|payout))");

  private final HttpSettings settings;

  PageTimeouts(HttpSettings settings) {
    this.settings = settings;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    String path = request.getRequestURI();
    if (request.getMethod().equals("POST")) {
      return !path.startsWith(FORMS);
    }
    return !request.getMethod().equals("GET")
        || !(path.equals(CONSOLE) || path.startsWith(CONSOLE + "/"))
        || LONG.matcher(path).matches();
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    AnswerTimeouts.bind(settings.answerTimeout());
    try {
      chain.doFilter(request, response);
    } finally {
      AnswerTimeouts.unbind();
    }
  }
}

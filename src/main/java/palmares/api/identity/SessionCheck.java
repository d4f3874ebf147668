package palmares.api.identity;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Duration;
import org.springframework.dao.DataAccessException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.security.Caller;

/** Ends the session of a person who was disabled or changed since it began, on every process. */
final class SessionCheck extends OncePerRequestFilter {
  /** The attribute of a request with the problem that {@link EndpointRules} answers it with. */
  static final String PROBLEM = SessionCheck.class.getName() + ".problem";

  /** A provider does not say when a person leaves; this bounds for how long a session knows. */
  private static final Duration MAX_AGE = Duration.ofHours(12);

  private final People people;

  SessionCheck(People people) {
    this.people = people;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    // Only a request with a session may have a person; the context of others is not loaded.
    HttpSession session = request.getSession(false);
    if (session != null) {
      try {
        boolean isOld =
            session.getLastAccessedTime() - session.getCreationTime() > MAX_AGE.toMillis();
        if (isOld || !Caller.find().map(this::isCurrent).orElse(true)) {
          SecurityContextHolder.clearContext();
          session.invalidate();
        }
      } catch (DataAccessException e) {
        SecurityContextHolder.clearContext();
        request.setAttribute(
            PROBLEM,
            new ProblemException(
                Problem.DATABASE_UNAVAILABLE,
                "PostgreSQL does not answer, so the session cannot be checked: try again"));
      }
    }
    chain.doFilter(request, response);
  }

  private boolean isCurrent(Caller caller) {
    return caller.version() == null || people.isCurrent(caller.name(), caller.version());
  }
}

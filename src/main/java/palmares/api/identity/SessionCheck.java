package palmares.api.identity;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.TransactionException;
import org.springframework.web.filter.OncePerRequestFilter;
import palmares.api.http.RequestPath;
import palmares.api.http.ServerLoad;
import palmares.api.roles.Caller;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/**
 * Ends a session that is too old, and that of a person who was disabled or changed, or whose
 * sessions were ended, since it began, on every process.
 */
final class SessionCheck extends OncePerRequestFilter {
  /** The attribute of a page's request with the problem that {@link EndpointRules} answers. */
  static final String PROBLEM = SessionCheck.class.getName() + ".problem";

  /** Style sheets and scripts, which are for everybody, and which a page of an outage needs. */
  static final String ASSETS = SecuritySetup.CONSOLE + "/assets/";

  /** A provider does not say when a person leaves; this bounds for how long a session knows. */
  private static final Duration MAX_AGE = Duration.ofHours(12);

  private final People people;
  private final Clock clock;

  SessionCheck(People people, Clock clock) {
    this.people = people;
    this.clock = clock;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (RequestPath.of(request).startsWith(ASSETS)) {
      SecurityContextHolder.clearContext(); // It is in PostgreSQL.
      chain.doFilter(new WithoutSession(request), response);
      return;
    }
    try {
      // Only a request with a session may have a person; the context of others is not loaded.
      HttpSession session = request.getSession(false);
      Caller caller = session == null ? null : Caller.find().orElse(null);
      if (session != null && caller != null) {
        if (isCurrent(caller, session)) {
          ServerLoad.noteSignedIn();
        } else {
          SecurityContextHolder.clearContext();
          session.invalidate();
        }
      }
    } catch (DataAccessException | TransactionException | Refusal e) {
      SecurityContextHolder.clearContext();
      var problem =
          e instanceof Refusal refused
              ? refused
              : new Refusal(Problem.DATABASE_UNAVAILABLE, new AccessSentences.SessionUnchecked());
      if (!RequestPath.isWithin(SecuritySetup.CONSOLE, request)) {
        throw problem; // Not all of these paths reach the rules, such as that to sign out.
      }
      request.setAttribute(PROBLEM, problem);
      chain.doFilter(new WithoutSession(request), response);
      return;
    }
    chain.doFilter(request, response);
  }

  /** A request that does not look for its session again, which would wait for PostgreSQL again. */
  private static final class WithoutSession extends HttpServletRequestWrapper {
    WithoutSession(HttpServletRequest request) {
      super(request);
    }

    @Override
    public @Nullable HttpSession getSession(boolean create) {
      return create ? super.getSession(true) : null;
    }
  }

  private boolean isCurrent(Caller caller, HttpSession session) {
    return session.getAttribute(StoredSessions.BEGAN) instanceof Instant began
        && began.plus(MAX_AGE).isAfter(clock.instant())
        && (caller.isProgram() || people.isCurrent(caller.name(), caller.version(), began));
  }
}

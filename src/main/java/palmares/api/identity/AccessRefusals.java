package palmares.api.identity;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.stereotype.Component;
import palmares.api.http.ProblemDetails;
import palmares.api.http.RequestPath;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** Answers with problems what Spring Security refuses before Spring MVC sees it. */
@Component
class AccessRefusals
    implements AuthenticationEntryPoint, AccessDeniedHandler, RequestRejectedHandler {
  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException e)
      throws IOException {
    ProblemDetails.write(
        e instanceof SignInFailed failed ? failed.problem() : unauthorized(), response);
  }

  /** Shows a person whom the provider or its claims refused the page to sign in, and why. */
  void showSignIn(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException e)
      throws IOException, ServletException {
    Refusal problem = e instanceof SignInFailed failed ? failed.problem() : unauthorized();
    request.setAttribute(Sessions.REFUSED, problem);
    response.setStatus(problem.problem().status());
    request.getRequestDispatcher(SecuritySetup.SIGN_IN_PAGE).forward(request, response);
  }

  @Override
  public void handle(
      HttpServletRequest request, HttpServletResponse response, AccessDeniedException e)
      throws IOException {
    if (e instanceof CsrfException && RequestPath.isWithin(SecuritySetup.CONSOLE, request)) {
      response.sendRedirect(request.getContextPath() + SecuritySetup.SIGN_IN_PAGE + "?expired");
      return;
    }
    Refusal problem =
        e instanceof CsrfException
            ? new Refusal(Problem.FORBIDDEN, new AccessSentences.CsrfToken())
            : Caller.find()
                .map(
                    caller ->
                        new Refusal(
                            Problem.FORBIDDEN,
                            new AccessSentences.NoRole(
                                caller.name(),
                                List.of(Role.VIEWER.word()),
                                Role.list(caller.roles()))))
                .orElseGet(AccessRefusals::unauthorized);
    ProblemDetails.write(problem, response);
  }

  @Override
  public void handle(
      HttpServletRequest request, HttpServletResponse response, RequestRejectedException e)
      throws IOException {
    ProblemDetails.write(
        new Refusal(Problem.BAD_REQUEST, new AccessSentences.PathNotNormalized()), response);
  }

  static Refusal unauthorized() {
    return new Refusal(Problem.UNAUTHORIZED, new AccessSentences.SignIn());
  }
}

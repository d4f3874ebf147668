package palmares.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.view.RedirectView;
import org.springframework.web.util.UriComponents;
import org.springframework.web.util.UriComponentsBuilder;
import palmares.api.http.FormRequest;
import palmares.api.http.Operations;
import palmares.api.http.Problems;
import palmares.api.http.RequestPath;
import palmares.api.identity.Sessions;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** Shows the problem of a request for a page as a page, and asks people to sign in. */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class PageErrors implements HandlerExceptionResolver, WebMvcConfigurer {
  /** The forms with an idempotency key, which have one effect however often they are sent. */
  private static final Pattern FORMS = Pattern.compile(Console.PATH + "/(verbs/.*|people(/.*)?)");

  /** The form of a verb. */
  private static final Pattern VERB = Pattern.compile(Console.PATH + "/verbs/([\\w-]+)");

  private static final int MAX_PATH_LENGTH = 4_000;

  private final Problems problems;
  private final PageModel pages;
  private final Sessions sessions;

  PageErrors(Problems problems, PageModel pages, Sessions sessions) {
    this.problems = problems;
    this.pages = pages;
    this.sessions = sessions;
  }

  @Override
  public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
    resolvers.add(0, this);
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception failure) {
    if (!RequestPath.isWithin(Console.PATH, request)) {
      return null;
    }
    String path = RequestPath.of(request);
    if (failure instanceof Refusal problem) {
      if (problem.problem() == Problem.UNAUTHORIZED) {
        return Operations.isRead(request.getMethod())
            ? redirect(request, response, signIn(request))
            : FormDraft.signIn(request, response, pages, sessions.provider().orElse(null));
      }
      if (problem.problem() == Problem.PASSWORD_CHANGE_REQUIRED) {
        return redirect(request, response, Console.PATH + "/password");
      }
    }
    ResponseEntity<?> answer = problems.answer(failure, new ServletWebRequest(request, response));
    if (answer == null || !(answer.getBody() instanceof ProblemDetail problem)) {
      return new ModelAndView();
    }
    String retryAfter = answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER);
    if (retryAfter != null) {
      response.setHeader(HttpHeaders.RETRY_AFTER, retryAfter);
    }
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    Map<String, @Nullable Object> model = new HashMap<>();
    pages.addTo(model, request);
    model.put("problem", problem);
    boolean isUnread = FormRequest.refusal(request).isPresent();
    model.put("isUnread", isUnread);
    Matcher verb = VERB.matcher(path);
    boolean isTooLarge = problem.getStatus() == HttpStatus.CONTENT_TOO_LARGE.value();
    model.put("largeForm", isTooLarge && verb.matches() ? verb.group(1) : null);
    boolean isRead = Operations.isRead(request.getMethod());
    if (problem.getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value()) {
      model.put("retries", isRead);
      model.put(
          "again",
          isRead || isUnread || !FORMS.matcher(path).matches() ? null : request.getParameterMap());
    }
    return new ModelAndView("problem", model, HttpStatus.valueOf(problem.getStatus()));
  }

  /** The page to sign in at, which leads back to this one. */
  private static String signIn(HttpServletRequest request) {
    String back = address(request);
    if (back.equals(Console.PATH) || back.length() > MAX_PATH_LENGTH) {
      return Console.PATH + "/sign-in";
    }
    return UriComponentsBuilder.fromPath(Console.PATH + "/sign-in")
        .queryParam("next", "{next}")
        .encode()
        .buildAndExpand(back)
        .toUriString();
  }

  /** The path and query that were asked for; for a part of a page, those of the whole page. */
  private static String address(HttpServletRequest request) {
    String whole = request.getHeader("HX-Current-URL");
    if (whole != null) {
      UriComponents page = UriComponentsBuilder.fromUriString(whole).build();
      String path = String.valueOf(page.getPath());
      String prefix = request.getContextPath();
      return (path.startsWith(prefix) ? path.substring(prefix.length()) : path)
          + (page.getQuery() == null ? "" : "?" + page.getQuery());
    }
    String query = request.getQueryString();
    return RequestPath.of(request) + (query == null ? "" : "?" + query);
  }

  private static ModelAndView redirect(
      HttpServletRequest request, HttpServletResponse response, String path) {
    if (request.getHeader("HX-Request") != null) {
      if (address(request).equals(path)) {
        response.setStatus(HttpStatus.NO_CONTENT.value()); // already loaded: do not load it again
      } else {
        // The whole page, not the part that was asked for.
        response.setHeader("HX-Redirect", request.getContextPath() + path);
      }
      return new ModelAndView();
    }
    var view = new RedirectView(path, true);
    view.setStatusCode(HttpStatus.SEE_OTHER);
    view.setExposeModelAttributes(false);
    view.setExpandUriTemplateVariables(false);
    return new ModelAndView(view);
  }
}

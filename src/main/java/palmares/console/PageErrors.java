package palmares.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.http.Problems;

/** Shows the problem of a request for a page as a page, and asks people to sign in. */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class PageErrors implements HandlerExceptionResolver, WebMvcConfigurer {
  /** Fields of a form that are not kept while a person signs in again. */
  private static final Set<String> NOT_KEPT = Set.of("_csrf", "key", "password");

  /** The forms that have one effect however often they are sent. */
  private static final String FORMS = Console.PATH + "/act/";

  private static final int MAX_PATH_LENGTH = 4_000;

  private final Problems problems;
  private final PageModel pages;

  PageErrors(Problems problems, PageModel pages) {
    this.problems = problems;
    this.pages = pages;
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
    String path = request.getRequestURI();
    if (!path.equals(Console.PATH) && !path.startsWith(Console.PATH + "/")) {
      return null;
    }
    if (failure instanceof ProblemException problem) {
      if (problem.problem() == Problem.UNAUTHORIZED) {
        return redirect(request, response, signIn(request));
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
    boolean isGet = request.getMethod().equals("GET");
    if (problem.getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value()) {
      model.put("retries", isGet);
      model.put("again", isGet || !path.startsWith(FORMS) ? null : request.getParameterMap());
    }
    return new ModelAndView("problem", model, HttpStatus.valueOf(problem.getStatus()));
  }

  /** The page to sign in at, which leads back to this one with what was typed. */
  private static String signIn(HttpServletRequest request) {
    String query =
        request.getParameterMap().entrySet().stream()
            .filter(field -> !NOT_KEPT.contains(field.getKey()))
            .flatMap(
                field -> Arrays.stream(field.getValue()).map(value -> field(field.getKey(), value)))
            .collect(Collectors.joining("&"));
    String back = path(request) + (query.isEmpty() ? "" : "?" + query);
    if (back.equals(Console.PATH) || back.length() > MAX_PATH_LENGTH) {
      return Console.PATH + "/sign-in";
    }
    return UriComponentsBuilder.fromPath(Console.PATH + "/sign-in")
        .queryParam("next", "{next}")
        .encode()
        .buildAndExpand(back)
        .toUriString();
  }

  private static String field(String name, String value) {
    return UriUtils.encode(name, UTF_8) + "=" + UriUtils.encode(value, UTF_8);
  }

  /** The path of the form, where it was sent to another. */
  private static String path(HttpServletRequest request) {
    String path = request.getRequestURI();
    String people = Console.PATH + "/people";
    return path.startsWith(people + "/") ? people : path;
  }

  private static ModelAndView redirect(
      HttpServletRequest request, HttpServletResponse response, String path) {
    if (request.getHeader("HX-Request") != null) {
      response.setHeader("HX-Redirect", path); // the whole page, not the part that was asked for
      return new ModelAndView();
    }
    var view = new RedirectView(path);
    view.setStatusCode(HttpStatus.SEE_OTHER);
    view.setExposeModelAttributes(false);
    view.setExpandUriTemplateVariables(false);
    return new ModelAndView(view);
  }
}

package palmares.console;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.ModelAndView;
import palmares.api.http.Operations;
import palmares.api.http.RequestPath;

/**
 * Keeps what was typed into a form while a person signs in again. It travels in bodies only: from
 * the form to the page for signing in, and back; then the session has it until the form is shown.
 * No address and no log contains it, and nothing is kept for somebody who does not sign in. A
 * provider signs people in in another tab, so that the page with the fields stays.
 */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class FormDraft extends OncePerRequestFilter {
  /** The parameter of the address of a form that is shown with what was typed. */
  private static final String PARAMETER = "kept";

  /** How the fields begin that have what was typed, on the page for signing in. */
  private static final String PREFIX = "typed.";

  private static final String ATTRIBUTE = FormDraft.class.getName();
  private static final Set<String> NOT_KEPT = Set.of("_csrf", "key", "tag", "password");

  /** Characters of all fields, because each request of the session reads them. */
  private static final int MAX_LENGTH = 64 << 10;

  private static final String PEOPLE = Console.PATH + "/people";

  /**
   * What was typed into a form.
   *
   * @param path of the form
   */
  private record Typed(String path, Map<String, String[]> fields) implements Serializable {}

  /** The page for signing in, with what was typed into a form that needs a person. */
  static ModelAndView signIn(
      HttpServletRequest request,
      HttpServletResponse response,
      PageModel pages,
      @Nullable String provider) {
    Map<String, @Nullable Object> model = new HashMap<>();
    pages.addTo(model, request);
    model.put("path", Console.PATH + "/sign-in");
    model.put("query", null);
    model.put("expired", true);
    model.put("provider", provider);
    model.put("next", path(request));
    var typed = new LinkedHashMap<String, String[]>();
    request
        .getParameterMap()
        .forEach(
            (name, values) -> {
              if (!NOT_KEPT.contains(name)) {
                typed.put(PREFIX + name, values);
              }
            });
    model.put("typed", typed);
    response.setHeader("WWW-Authenticate", "Bearer realm=\"palmares\"");
    response.setHeader("Cache-Control", "no-store");
    return new ModelAndView("sign-in", model, HttpStatus.UNAUTHORIZED);
  }

  /** The path of the form, where it was sent to another. */
  private static String path(HttpServletRequest request) {
    String path = RequestPath.of(request);
    return path.startsWith(PEOPLE + "/") ? PEOPLE : path;
  }

  /** The fields of the page for signing in that have what was typed. */
  static Map<String, String[]> typed(HttpServletRequest request) {
    var typed = new LinkedHashMap<String, String[]>();
    request
        .getParameterMap()
        .forEach(
            (name, values) -> {
              if (name.startsWith(PREFIX)) {
                typed.put(name, values);
              }
            });
    return typed;
  }

  /** Keeps what was typed in the session that has begun, and returns where it is shown. */
  static String keep(String next, HttpServletRequest request) {
    var fields = new LinkedHashMap<String, String[]>();
    typed(request).forEach((name, values) -> fields.put(name.substring(PREFIX.length()), values));
    if (fields.isEmpty() || length(fields) > MAX_LENGTH) {
      return next;
    }
    request.getSession().setAttribute(ATTRIBUTE, new Typed(next, fields));
    return next.substring(0, (next + "?").indexOf('?')) + "?" + PARAMETER;
  }

  private static int length(Map<String, String[]> fields) {
    return fields.values().stream().flatMap(Arrays::stream).mapToInt(String::length).sum();
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !Operations.isRead(request.getMethod())
        || !RequestPath.isWithin(Console.PATH, request)
        || request.getParameter(PARAMETER) == null;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    HttpSession session = request.getSession(false);
    Object kept = session == null ? null : session.getAttribute(ATTRIBUTE);
    if (kept instanceof Typed typed && typed.path().equals(RequestPath.of(request))) {
      if (!HttpMethod.HEAD.matches(request.getMethod())) {
        session.removeAttribute(ATTRIBUTE); // It is shown now.
      }
      chain.doFilter(new WithFields(request, typed.fields()), response);
    } else {
      chain.doFilter(request, response);
    }
  }

  /** A request with the fields of a form. */
  private static final class WithFields extends HttpServletRequestWrapper {
    private final Map<String, String[]> fields;

    WithFields(HttpServletRequest request, Map<String, String[]> fields) {
      super(request);
      var all = new LinkedHashMap<>(fields);
      request.getParameterMap().forEach(all::putIfAbsent); // such as the key of the form
      this.fields = Collections.unmodifiableMap(all);
    }

    @Override
    public @Nullable String getParameter(String name) {
      String[] values = fields.get(name);
      return values == null ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
      return fields.get(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
      return Collections.enumeration(fields.keySet());
    }

    @Override
    public Map<String, String[]> getParameterMap() {
      return fields;
    }
  }
}

package palmares.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.FormHttpMessageConverter;

/**
 * A request whose body is a form of a page. Its fields are parameters, in addition to those of the
 * query. Tomcat does not parse bodies, so that each is read with a deadline and a maximum size.
 */
final class FormRequest extends HttpServletRequestWrapper {
  private static final String PATHS = "/console/";
  private static final int MAX_BYTES = 1 << 20;

  private final ServletInputStream body;
  private @Nullable Map<String, String[]> parameters;

  FormRequest(HttpServletRequest request, ServletInputStream body) {
    super(request);
    this.body = body;
  }

  /** Whether a request for a page has a form. */
  static boolean is(HttpServletRequest request) {
    String type = request.getContentType();
    return request.getRequestURI().startsWith(PATHS)
        && type != null
        && type.startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    if (parameters == null) {
      parameters = Collections.unmodifiableMap(read());
    }
    return parameters;
  }

  private Map<String, String[]> read() {
    var all = new LinkedHashMap<>(super.getParameterMap());
    form().forEach((name, values) -> all.merge(name, values.toArray(new String[0]), this::join));
    return all;
  }

  private String[] join(String[] first, String[] second) {
    String[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private Map<String, List<String>> form() {
    HttpInputMessage message =
        new HttpInputMessage() {
          @Override
          public InputStream getBody() {
            return RequestBody.requireAtMost(MAX_BYTES, body);
          }

          @Override
          public HttpHeaders getHeaders() {
            var headers = new HttpHeaders();
            headers.setContentType(new MediaType(MediaType.APPLICATION_FORM_URLENCODED, UTF_8));
            return headers;
          }
        };
    try {
      return new FormHttpMessageConverter().read(null, message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(
          Problem.MALFORMED, "the form cannot be parsed: percent-encode its fields as UTF-8");
    }
  }

  @Override
  public @Nullable String getParameter(String name) {
    String[] values = getParameterMap().get(name);
    return values == null || values.length == 0 ? null : values[0];
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    return getParameterMap().get(name);
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(getParameterMap().keySet());
  }

  @Override
  public ServletInputStream getInputStream() {
    return body;
  }
}

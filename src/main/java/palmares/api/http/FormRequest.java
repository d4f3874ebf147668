package palmares.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/**
 * A request whose body is a form of a page. Its fields are parameters, in addition to those of the
 * query. Tomcat does not parse bodies, so that each is read with a deadline and a maximum size. A
 * form that cannot be read has no fields, and {@link #refusal} says why: a page must say so to a
 * person, who may be signed in.
 */
public final class FormRequest extends HttpServletRequestWrapper {
  private static final String PATHS = "/console";
  private static final String REFUSAL = FormRequest.class.getName() + ".refusal";
  private static final int MAX_BYTES = 1 << 20;

  /** As many as Tomcat takes from a query. Each takes more memory than its bytes. */
  private static final int MAX_FIELDS = 1_000;

  private final RequestBody body;
  private @Nullable Map<String, String[]> parameters;

  FormRequest(HttpServletRequest request, RequestBody body) {
    super(request);
    this.body = body;
    body.discardAsForm();
  }

  /** Whether a request for a page has a form. */
  static boolean is(HttpServletRequest request) {
    String type = request.getContentType();
    return RequestPath.isWithin(PATHS, request)
        && type != null
        && type.startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
  }

  /** Why the form of a request was not read; empty if it was, or if there is none. */
  public static Optional<Refusal> refusal(HttpServletRequest request) {
    request.getParameterMap(); // reads it
    return Optional.ofNullable((Refusal) request.getAttribute(REFUSAL));
  }

  /** Reads the form, or notes why it cannot be read. */
  private Map<String, List<String>> read() {
    try {
      return parse(body.readForm(MAX_BYTES));
    } catch (Refusal e) {
      setAttribute(
          REFUSAL,
          switch (e.problem()) {
            case TOO_LARGE -> tooLarge();
            case REQUEST_TIMEOUT -> late();
            default -> e;
          });
      return Map.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Refusal tooLarge() {
    return new Refusal(Problem.TOO_LARGE, new HttpSentences.FormTooLarge());
  }

  /** Not 408, after which browsers send the form again, on each connection that they have. */
  private static Refusal late() {
    return new Refusal(Problem.TOO_LARGE, new HttpSentences.FormTooSlow());
  }

  private static Map<String, List<String>> parse(byte[] text) throws IOException {
    int fields = 1;
    for (byte character : text) {
      fields += character == '&' ? 1 : 0;
    }
    if (fields > MAX_FIELDS) {
      throw new Refusal(Problem.MALFORMED, new HttpSentences.FormTooLong(MAX_FIELDS));
    }
    try {
      return new FormHttpMessageConverter().read(null, message(text));
    } catch (IllegalArgumentException | HttpMessageNotReadableException e) {
      throw new Refusal(Problem.MALFORMED, new HttpSentences.FormUnparsable());
    }
  }

  private static HttpInputMessage message(byte[] text) {
    return new HttpInputMessage() {
      @Override
      public InputStream getBody() {
        return new ByteArrayInputStream(text);
      }

      @Override
      public HttpHeaders getHeaders() {
        var headers = new HttpHeaders();
        headers.setContentType(new MediaType(MediaType.APPLICATION_FORM_URLENCODED, UTF_8));
        return headers;
      }
    };
  }

  /** Reads the form at its first use: that of a person who has signed in is limited less. */
  @Override
  public Map<String, String[]> getParameterMap() {
    if (parameters == null) {
      var all = new LinkedHashMap<>(super.getParameterMap());
      read()
          .forEach(
              (name, values) -> all.merge(name, values.toArray(new String[0]), FormRequest::join));
      parameters = Collections.unmodifiableMap(all);
    }
    return parameters;
  }

  private static String[] join(String[] first, String[] second) {
    String[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
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

package palmares.client;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says that a request was refused by the server, or got no answer. */
public final class PalmaresException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Set<Integer> RETRYABLE = Set.of(408, 429, 500, 502, 503, 504);
  private static final String PREFIX = "urn:palmares:problem:";

  private final int status;
  private final transient Map<String, Object> problem;
  private final @Nullable Duration retryAfter;

  /**
   * What is wrong with one field.
   *
   * @param pointer the JSON pointer of the field, such as {@code /period}
   * @param code what programs read
   * @param values the values of the text by name
   */
  public record Fault(String pointer, String code, Map<String, Object> values, String text) {
    private static Fault of(Map<String, Object> json) {
      return new Fault(
          Json.required(json, "pointer"),
          Json.required(json, "code"),
          Json.map(json, "values"),
          Json.required(json, "text"));
    }
  }

  private PalmaresException(
      String message,
      @Nullable Throwable cause,
      int status,
      Map<String, Object> problem,
      @Nullable Duration retryAfter) {
    super(message, cause);
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** The refusal that an answer is; a proxy's need not be a problem of the API. */
  static PalmaresException of(HttpResponse<?> answer, byte[] body) {
    Map<String, Object> problem;
    try {
      problem = Json.object(body);
    } catch (IllegalArgumentException foreign) {
      problem = Map.of();
    }
    String detail = Json.text(problem, "detail");
    long seconds;
    try {
      seconds = answer.headers().firstValueAsLong("Retry-After").orElse(-1);
    } catch (NumberFormatException date) {
      seconds = 0; // A proxy may name a date; the pauses of the policy apply then.
    }
    return new PalmaresException(
        "%s answered %d%s"
            .formatted(answer.uri(), answer.statusCode(), detail == null ? "" : ": " + detail),
        null,
        answer.statusCode(),
        problem,
        seconds < 0 ? null : Duration.ofSeconds(seconds));
  }

  static PalmaresException noAnswer(String uri, IOException cause) {
    return new PalmaresException(
        "%s did not answer: %s".formatted(uri, cause), cause, 0, Map.of(), null);
  }

  /** An answer that no server of this API gives; the request may have had its effect. */
  static PalmaresException foreign(String uri, int status, @Nullable Exception cause) {
    return new PalmaresException(
        "%s answered %d, but not as Palmares does: check the address".formatted(uri, status),
        cause,
        status,
        Map.of(),
        null);
  }

  /** The HTTP status; 0 if there was no answer. */
  public int status() {
    return status;
  }

  /** The word of the problem's type, such as {@code wrong-state}; empty if it has none. */
  public String type() {
    String type = Json.text(problem(), "type");
    return type != null && type.startsWith(PREFIX) ? type.substring(PREFIX.length()) : "";
  }

  /** The code of the sentence in {@code detail}, for programs; empty if there is none. */
  public String code() {
    String code = Json.text(problem(), "code");
    return code == null ? "" : code;
  }

  /** The values of the sentence in {@code detail} by name. */
  public Map<String, Object> values() {
    return Json.map(problem(), "values");
  }

  /** What is wrong with which fields. */
  public List<Fault> faults() {
    return Json.list(problem().get("errors"), Fault::of);
  }

  /** All fields of the problem; empty if it was no problem of the API. */
  @SuppressWarnings("NullAway") // After a serialization, which drops it.
  public Map<String, Object> problem() {
    return problem == null ? Map.of() : problem;
  }

  /** Whether the same request may succeed later: nothing is wrong with it. */
  public boolean isRetryable() {
    return status == 0 || retryAfter != null || RETRYABLE.contains(status);
  }

  /** How long to wait at least before a retry; zero if the server did not say. */
  public Duration retryAfter() {
    return retryAfter == null ? Duration.ZERO : retryAfter;
  }
}

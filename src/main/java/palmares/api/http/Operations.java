package palmares.api.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;

/**
 * Knows the operations of the API that are more than plain reads, by the names that the OpenAPI
 * document gives them. API keys may be limited to some of them.
 */
@Component
public class Operations {
  private final Supplier<Map<String, String>> names;

  Operations(OpenApi api) {
    this.names = SingletonSupplier.of(() -> read(api));
  }

  private static Map<String, String> read(OpenApi api) {
    var names = new HashMap<String, String>();
    if (api.document() instanceof Map<?, ?> document
        && document.get("paths") instanceof Map<?, ?> paths) {
      paths.forEach((path, methods) -> read(String.valueOf(path), methods, names));
    }
    return names;
  }

  private static void read(String path, @Nullable Object methods, Map<String, String> names) {
    if (methods instanceof Map<?, ?> operations) {
      operations.forEach(
          (word, operation) -> {
            String method = String.valueOf(word).toUpperCase(Locale.ROOT);
            if (!isRead(method)
                && operation instanceof Map<?, ?> fields
                && fields.get("operationId") instanceof String name) {
              names.put(method + " " + path, name);
            }
          });
    }
  }

  /** Whether a request with this method is a plain read. */
  public static boolean isRead(String method) {
    return method.equals(HttpMethod.GET.name()) || method.equals(HttpMethod.HEAD.name());
  }

  /** Returns the name of an operation; null if it is a plain read, or not in the document. */
  public @Nullable String name(String method, String pathPattern) {
    return names.get().get(method + " " + pathPattern);
  }

  /** The names of all operations that are more than plain reads, in alphabetical order. */
  public Set<String> names() {
    return new TreeSet<>(names.get().values());
  }
}

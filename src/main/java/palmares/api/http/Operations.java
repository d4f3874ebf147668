package palmares.api.http;

import java.util.HashMap;
import java.util.HashSet;
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
  private final Supplier<Document> document;

  Operations(OpenApi api) {
    this.document = SingletonSupplier.of(() -> read(api));
  }

  /**
   * The operations of the document.
   *
   * @param names by method and path
   * @param giveAccess the names of those that give access to others
   */
  private record Document(Map<String, String> names, Set<String> giveAccess) {}

  private static Document read(OpenApi api) {
    var operations = new Document(new HashMap<>(), new HashSet<>());
    if (api.document() instanceof Map<?, ?> document
        && document.get("paths") instanceof Map<?, ?> paths) {
      paths.forEach((path, methods) -> read(String.valueOf(path), methods, operations));
    }
    return operations;
  }

  private static void read(String path, @Nullable Object methods, Document document) {
    if (methods instanceof Map<?, ?> operations) {
      operations.forEach(
          (word, operation) -> {
            String method = String.valueOf(word).toUpperCase(Locale.ROOT);
            if (!isRead(method)
                && operation instanceof Map<?, ?> fields
                && fields.get("operationId") instanceof String name) {
              document.names().put(method + " " + path, name);
              if (fields.containsKey("x-gives-access")) {
                document.giveAccess().add(name);
              }
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
    return document.get().names().get(method + " " + pathPattern);
  }

  /**
   * Whether an operation gives people or keys access. A key that is limited to operations may not
   * call it, because it could make itself another key without the limit.
   */
  public boolean givesAccess(String name) {
    return document.get().giveAccess().contains(name);
  }

  /** The names of all operations that keys may be limited to, in alphabetical order. */
  public Set<String> names() {
    var names = new TreeSet<>(document.get().names().values());
    names.removeAll(document.get().giveAccess());
    return names;
  }
}

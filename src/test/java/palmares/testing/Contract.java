package palmares.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the OpenAPI document promises. Every answer that a test gets by HTTP must be one that it
 * describes, to the last field.
 */
public final class Contract {
  /** The document. */
  public static final JsonNode DOCUMENT = read();

  /** By the shape of the addresses. */
  private static final Map<Pattern, JsonNode> PATHS = paths();

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  /** By the nodes themselves, as the hash of a node takes all below it. */
  private static final Map<JsonNode, Schema> SCHEMAS =
      Collections.synchronizedMap(new IdentityHashMap<>());

  private Contract() {}

  private static JsonNode read() {
    try {
      Path file = Path.of("src", "main", "resources", "palmares", "api", "http", "openapi.yaml");
      return JsonMapper.shared().valueToTree(new Yaml().load(Files.readString(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Checks an answer; addresses that are not described are no concern of the document. */
  public static void check(HttpResponse<String> answer) {
    check(
        answer.request().method(),
        answer.request().uri().getRawPath(),
        answer.statusCode(),
        answer.headers().firstValue("Content-Type").orElse(""),
        answer.body());
  }

  static void check(String method, String path, int status, String type, String body) {
    JsonNode operation = operation(method, path);
    if (operation.isMissingNode()) {
      return;
    }
    Supplier<String> what = () -> "%s %s: %d %s %s".formatted(method, path, status, type, body);
    JsonNode response = operation.path("responses").path(Integer.toString(status));
    if (response.isMissingNode()) {
      assertThat(status).as(() -> "not described: " + what.get()).isGreaterThanOrEqualTo(400);
      response = operation.path("responses").path("default");
    }
    JsonNode content = resolved(response).path("content");
    if (content.isMissingNode()) {
      assertThat(body).as(what).isEmpty();
      return;
    }
    JsonNode described = content.path(type.split(";", 2)[0]);
    assertThat(described.isMissingNode()).as(() -> "no such type: " + what.get()).isFalse();
    texts(type, body)
        .forEach(
            text ->
                assertThat(schema(described.path("schema")).validate(JSON.readTree(text)))
                    .as(what)
                    .isEmpty());
  }

  private static Stream<String> texts(String type, String body) {
    return type.startsWith("application/x-ndjson")
        ? body.lines()
        : type.contains("json") ? Stream.of(body) : Stream.empty();
  }

  private static JsonNode operation(String method, String path) {
    return PATHS.entrySet().stream()
        .filter(entry -> entry.getKey().matcher(path).matches())
        .map(entry -> entry.getValue().path(method.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElse(DOCUMENT.path("nowhere"));
  }

  private static Map<Pattern, JsonNode> paths() {
    var paths = new LinkedHashMap<Pattern, JsonNode>();
    for (Map.Entry<String, JsonNode> path : DOCUMENT.path("paths").properties()) {
      String shape =
          Stream.of(path.getKey().split("(?=\\{)|(?<=\\})"))
              .map(part -> part.startsWith("{") ? "[^/]+" : Pattern.quote(part))
              .reduce("", String::concat);
      paths.put(Pattern.compile(shape), path.getValue());
    }
    return paths;
  }

  /** What a reference refers to. */
  public static JsonNode resolved(JsonNode node) {
    JsonNode reference = node.path("$ref");
    return reference.isMissingNode()
        ? node
        : resolved(DOCUMENT.at(reference.asString().substring(1)));
  }

  /** What is wrong with a value by a schema of the document; empty if nothing is. */
  public static List<Error> faults(JsonNode schema, JsonNode value) {
    return schema(schema).validate(value);
  }

  /** References within a schema lead to the document's components. */
  private static Schema schema(JsonNode schema) {
    return SCHEMAS.computeIfAbsent(
        schema,
        bare -> {
          ObjectNode whole = (ObjectNode) bare.deepCopy();
          whole.set("components", DOCUMENT.path("components"));
          return REGISTRY.getSchema(whole);
        });
  }
}

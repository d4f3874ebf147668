package palmares.api.document;

import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Adds an example to each JSON body: a value for each required field, by its name and schema. */
final class Examples {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String TYPE = "application/json";

  private final ObjectNode document;
  private final JsonNode values;

  /** The names of texts that have no value. */
  private final Set<String> unknown = new TreeSet<>();

  /**
   * @param values of texts, by the names of their fields
   */
  Examples(ObjectNode document, JsonNode values) {
    this.document = document;
    this.values = values;
  }

  void add() {
    document.path("paths").forEach(path -> path.forEach(this::addToOperation));
    document.at("/components/responses").forEach(this::addToBody);
    if (!unknown.isEmpty()) {
      throw new IllegalStateException("no examples in the frame for " + unknown);
    }
  }

  private void addToOperation(JsonNode operation) {
    addToBody(operation.path("requestBody"));
    operation.path("responses").forEach(this::addToBody);
  }

  private void addToBody(JsonNode body) {
    if (body.path("content").path(TYPE) instanceof ObjectNode json && !json.has("example")) {
      json.set("example", of("", json.path("schema")));
    }
  }

  private JsonNode of(String name, JsonNode schema) {
    JsonNode whole = resolved(schema);
    if (whole.has("allOf")) {
      return object(name, whole);
    }
    if (whole.has("enum")) {
      JsonNode value = values.path(name);
      return whole.path("enum").valueStream().anyMatch(value::equals)
          ? value
          : whole.path("enum").get(0);
    }
    if (whole.has("const")) {
      return whole.path("const");
    }
    if (whole.has("oneOf")) {
      return of(name, whole.path("oneOf").get(0));
    }
    return switch (type(whole)) {
      case "object" -> object(name, whole);
      case "array" -> JSON.createArrayNode().add(of(name, whole.path("items")));
      case "boolean" -> JSON.valueToTree(true);
      case "integer", "number" ->
          JSON.valueToTree(whole.has("minimum") ? whole.path("minimum").asLong() : 1);
      case "string" -> text(name, whole);
      default -> throw new IllegalStateException("no type of %s: %s".formatted(name, whole));
    };
  }

  private static String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    return type.isArray() ? type.get(0).asString() : type.asString("");
  }

  private ObjectNode object(String name, JsonNode schema) {
    ObjectNode example =
        schema.has("allOf")
            ? object(name, resolved(schema.path("allOf").get(0)))
            : JSON.createObjectNode();
    for (JsonNode required : schema.path("required")) {
      String field = required.asString();
      example.set(field, of(field, schema.path("properties").path(field)));
    }
    if (schema.has("additionalProperties") && schema.path("additionalProperties").isObject()) {
      example.set("credits", of(name, schema.path("additionalProperties")));
    }
    return example;
  }

  /** Null if it may be, and there is no value by its name. */
  private JsonNode text(String name, JsonNode schema) {
    String key = schema.path("format").asString(name);
    JsonNode value = values.path(key);
    if (value.isMissingNode() && schema.path("type").isArray()) {
      return JSON.nullNode();
    }
    if (value.isMissingNode()) {
      unknown.add(key);
    }
    return value;
  }

  private JsonNode resolved(JsonNode schema) {
    return schema.has("$ref")
        ? resolved(document.at(schema.path("$ref").asString().substring(1)))
        : schema;
  }
}

package palmares.api.ops;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.StreamSupport;
import palmares.testing.Contract;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Values that the schemas of the OpenAPI document exclude, by one step: another type, one below the
 * least, one above the most, one item or one character too many, a field too many or too few.
 */
final class SchemaValues {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** More than anything of a request may have where its schema names no limit. */
  private static final int MANY = 20_000;

  private SchemaValues() {}

  /** A body in which something is changed, at any depth. */
  static JsonNode wrongBody(JsonNode schema, JsonNode body, Random random) {
    JsonNode type = chosen(schema, random);
    JsonNode items = type.path("items");
    if (body instanceof ArrayNode all && !all.isEmpty() && random.nextBoolean()) {
      ArrayNode changed = all.deepCopy();
      int at = random.nextInt(all.size());
      return changed.set(at, wrongBody(items, all.get(at), random));
    }
    List<String> fields = List.copyOf(type.path("properties").propertyNames());
    if (!(body instanceof ObjectNode object) || fields.isEmpty()) {
      return wrong(type, random);
    }
    ObjectNode changed = object.deepCopy();
    String field = fields.get(random.nextInt(fields.size()));
    JsonNode within = type.path("properties").path(field);
    switch (random.nextInt(8)) {
      case 0 -> changed.remove(field);
      case 1 -> changed.put(field + "x", 1);
      case 2, 3 ->
          changed.set(
              field,
              changed.has(field)
                  ? wrongBody(within, changed.get(field), random)
                  : right(within, random));
      default -> changed.set(field, wrong(within, random));
    }
    return changed;
  }

  /** A value that the schema excludes, unless it excludes none. */
  static JsonNode wrong(JsonNode schema, Random random) {
    JsonNode type = chosen(schema, random);
    var values = new ArrayList<JsonNode>();
    values.add(NODES.nullNode());
    switch (type.path("type").asString("")) {
      case "string" -> {
        values.add(NODES.numberNode(7));
        values.add(NODES.arrayNode().add("x"));
        values.add(NODES.stringNode("x".repeat(Math.max(0, type.path("minLength").asInt(1) - 1))));
        values.add(NODES.stringNode("x".repeat(type.path("maxLength").asInt(MANY) + 1)));
        values.add(NODES.stringNode("no such \uD83D\uDE00"));
      }
      case "integer", "number" -> {
        values.add(NODES.numberNode(type.path("minimum").asLong(0) - 1));
        values.add(NODES.numberNode(type.path("maximum").asLong(Integer.MAX_VALUE) + 1));
        values.add(NODES.numberNode(BigInteger.ONE.shiftLeft(63)));
        values.add(NODES.numberNode(1.5));
        values.add(NODES.stringNode("1"));
      }
      case "array" -> {
        ArrayNode many = NODES.arrayNode();
        JsonNode item = right(type.path("items"), random);
        for (int i = type.path("maxItems").asInt(MANY); i >= 0; i--) {
          many.add(item);
        }
        values.add(many);
        values.add(NODES.arrayNode());
        values.add(NODES.arrayNode().add(wrong(type.path("items"), random)));
        values.add(NODES.objectNode());
      }
      default -> {
        values.add(NODES.arrayNode());
        values.add(NODES.numberNode(1));
        values.add(NODES.stringNode("true"));
        values.add(NODES.objectNode().put("x", 1));
      }
    }
    return values.get(random.nextInt(values.size()));
  }

  private static JsonNode right(JsonNode schema, Random random) {
    JsonNode type = chosen(schema, random);
    return switch (type.path("type").asString("")) {
      case "string" -> type.path("enum").isEmpty() ? NODES.stringNode("x") : type.at("/enum/0");
      case "integer", "number" -> NODES.numberNode(type.path("minimum").asLong(1));
      case "boolean" -> NODES.booleanNode(true);
      case "array" -> NODES.arrayNode();
      default -> NODES.objectNode();
    };
  }

  /** The schema itself, or one of those of which it is a choice. */
  private static JsonNode chosen(JsonNode schema, Random random) {
    JsonNode found = Contract.resolved(schema);
    JsonNode choices = found.has("oneOf") ? found.path("oneOf") : found.path("allOf");
    return choices.isEmpty() ? found : chosen(choices.get(random.nextInt(choices.size())), random);
  }

  /** The parameters of an operation that are in its query. */
  static List<JsonNode> queries(JsonNode operation) {
    return StreamSupport.stream(operation.path("parameters").spliterator(), false)
        .map(Contract::resolved)
        .filter(parameter -> parameter.path("in").asString("").equals("query"))
        .toList();
  }

  /** The body, or nothing if it is none that has a schema. */
  static JsonNode read(byte[] body) {
    try {
      return JsonMapper.shared().readTree(body);
    } catch (tools.jackson.core.JacksonException e) {
      return NODES.missingNode();
    }
  }
}

package palmares.api.document;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import palmares.api.http.RequestFields;
import palmares.api.http.Takes;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes JSON schemas of types: a record's Javadoc describes it and its components. */
final class Schemas {
  /** What {@link Duration} writes; the format {@code duration} has no fractions of a second. */
  private static final String DURATION = "^PT(\\d+H)?(\\d+M)?(\\d+(\\.\\d+)?S)?$";

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Javadocs javadocs;
  private final Map<String, Class<?>> records = new TreeMap<>();
  private final ObjectNode schemas;
  private final JsonNode fields;

  /**
   * @param schemas what the records are added to, by name
   * @param fields what fields of requests have in common, by their names
   */
  Schemas(Javadocs javadocs, ObjectNode schemas, JsonNode fields) {
    this.javadocs = javadocs;
    this.schemas = schemas;
    this.fields = fields;
  }

  /**
   * The schema of a type; that of a record is added by name, and this refers to it.
   *
   * @param isRequest whether fields may be left out
   */
  ObjectNode of(AnnotatedType annotated, boolean isRequest) {
    Type type = annotated.getType();
    Class<?> raw = (Class<?>) (type instanceof ParameterizedType of ? of.getRawType() : type);
    var schema = JSON.createObjectNode();
    if (Collection.class.isAssignableFrom(raw)) {
      return schema.put("type", "array").set("items", of(argument(annotated, 0), isRequest));
    }
    if (Map.class.isAssignableFrom(raw)) {
      AnnotatedType value = argument(annotated, 1);
      schema.put("type", "object");
      return value.getType() == Object.class
          ? schema
          : schema.set("additionalProperties", of(value, isRequest));
    }
    if (Sentence.class.isAssignableFrom(raw)) {
      return reference("Sentence");
    }
    if (raw.isEnum()) {
      ArrayNode words = schema.put("type", "string").putArray("enum");
      for (Object constant : raw.getEnumConstants()) {
        words.add(
            constant instanceof Choice choice
                ? choice.word()
                : JSON.valueToTree(constant).asString());
      }
      return schema;
    }
    if (raw.isRecord()) {
      RecordComponent[] components = raw.getRecordComponents();
      return components.length == 1 && components[0].getName().equals("value")
          ? of(components[0].getAnnotatedType(), isRequest) // An id, which is written as its text.
          : reference(add(raw, isRequest));
    }
    if (raw == Instant.class) {
      return schema.put("type", "string").put("format", "date-time");
    }
    if (raw == Duration.class) {
      return schema.put("type", "string").put("pattern", DURATION);
    }
    if (raw == LocalDate.class) {
      return schema.put("type", "string").put("format", "date");
    }
    if (raw == boolean.class || raw == Boolean.class) {
      return schema.put("type", "boolean");
    }
    if (raw == int.class || raw == Integer.class) {
      return schema.put("type", "integer").put("format", "int32");
    }
    if (raw == long.class || raw == Long.class) {
      return schema.put("type", "integer").put("format", "int64");
    }
    if (raw == BigDecimal.class) {
      return schema.put("type", "integer"); // A sum of whole numbers may exceed 64 bits.
    }
    if (raw == double.class || raw == Double.class) {
      return schema.put("type", "number");
    }
    if (raw == String.class) {
      schema.put("type", "string");
      Takes takes = annotated.getAnnotation(Takes.class);
      if (takes != null && Choice.class.isAssignableFrom(takes.value())) {
        RequestFields.words(takes).forEach(schema.withArray("enum")::add);
      }
      return schema;
    }
    throw new IllegalArgumentException("no schema for " + annotated);
  }

  private static AnnotatedType argument(AnnotatedType type, int index) {
    return ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[index];
  }

  static ObjectNode reference(String schema) {
    return JSON.createObjectNode().put("$ref", "#/components/schemas/" + schema);
  }

  private String add(Class<?> type, boolean isRequest) {
    String name = type.getSimpleName();
    Class<?> other = records.put(name, type);
    if (other == null) {
      Javadocs.Doc doc = javadocs.of(type);
      ObjectNode schema = schemas.putObject(name);
      schema.put("type", "object");
      schema.put("description", Markdown.paragraphs(doc.firstSentence(), doc.rest()));
      schema.put("additionalProperties", false);
      ArrayNode required = JSON.createArrayNode();
      ObjectNode properties = schema.putObject("properties");
      components(type, isRequest, required, properties);
      if (!required.isEmpty()) {
        schema.set("required", required);
      }
    } else if (other != type) {
      throw new IllegalStateException("two types have the name " + name);
    }
    return name;
  }

  private void components(
      Class<?> type, boolean isRequest, ArrayNode required, ObjectNode properties) {
    boolean omitsNull = type.isAnnotationPresent(JsonInclude.class);
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
        components(component.getType(), isRequest, required, properties);
      } else if (!component.getAccessor().isAnnotationPresent(JsonIgnore.class)) {
        boolean isNullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        ObjectNode bare = of(component.getAnnotatedType(), isRequest);
        ObjectNode property = isNullable && !isRequest && !omitsNull ? orNull(bare) : bare;
        String text = javadocs.of(type).parameters().get(component.getName());
        if (text != null) {
          property.put("description", Markdown.ifAbsent(text, isRequest || omitsNull));
        }
        if (isRequest && fields.path(component.getName()) instanceof ObjectNode common) {
          common.properties().forEach(rule -> property.putIfAbsent(rule.getKey(), rule.getValue()));
        }
        properties.set(component.getName(), property);
        boolean maySkip = isRequest && component.getType() == boolean.class;
        if (!maySkip && !(isNullable && (isRequest || omitsNull))) {
          required.add(component.getName());
        }
      }
    }
  }

  private static ObjectNode orNull(ObjectNode schema) {
    ObjectNode orNull = JSON.createObjectNode();
    if (schema.has("$ref") || schema.has("enum")) {
      orNull.putArray("oneOf").add(schema).addObject().put("type", "null");
      return orNull;
    }
    orNull.putArray("type").add(schema.path("type")).add("null");
    schema.properties().stream()
        .filter(entry -> !entry.getKey().equals("type"))
        .forEach(entry -> orNull.set(entry.getKey(), entry.getValue()));
    return orNull;
  }
}

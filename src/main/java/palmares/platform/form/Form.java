package palmares.platform.form;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * A group of known fields.
 *
 * @param what names it in messages, as in {@code a board}
 * @param fields in the order that people read them
 */
public record Form(String what, List<Field<?>> fields) implements SchemaNode<FormValue> {

  public Form {
    fields = List.copyOf(fields);
  }

  /** Reads the fields; gives what it could read even if some were wrong. */
  @Override
  public @Nullable FormValue read(Location location) {
    if (!(location.node() instanceof MappingNode node)) {
      location.fault(
          "must be %s, with the fields %s; not %s".formatted(what, names(), location.seen()));
      return null;
    }
    int before = location.faultsSoFar();
    var places = new HashMap<String, Location>();
    var values = new HashMap<String, Object>();
    var lines = new HashMap<String, Integer>();
    for (var tuple : node.getValue()) {
      var name = Table.name(location, tuple.getKeyNode(), lines);
      var field = name == null ? null : field(name);
      if (field != null) {
        var place = location.within(field.name(), tuple.getKeyNode(), tuple.getValueNode());
        places.put(field.name(), place);
        var value = field.schemaNode().read(place);
        if (value != null) {
          values.put(field.name(), value);
        }
      } else if (name != null) {
        location
            .within(name, tuple.getKeyNode(), tuple.getKeyNode())
            .fault("is no field of " + what + known(name));
      }
    }
    fields.forEach(field -> checkPresence(field, location, places, values));
    return new FormValue(location, places, values, location.faultsSoFar() == before);
  }

  /** The same group, read as something else if none of its fields is wrong. */
  public <T> SchemaNode<T> to(Function<FormValue, T> change) {
    return as(formValue -> formValue.whole() ? change.apply(formValue) : null);
  }

  private void checkPresence(
      Field<?> field, Location location, Map<String, Location> places, Map<String, Object> values) {
    var place = places.get(field.name());
    var only = field.only();
    if (only != null && only.words().isEmpty()) {
      if (places.containsKey(only.with())) {
        if (place != null) {
          place.fault("does not go with %s: take it out".formatted(only.with()));
        }
        return;
      }
    } else if (only != null) {
      var other = word(only.with(), places, values);
      if (other == null) {
        return;
      }
      if (!only.words().contains(other)) {
        if (place != null) {
          place.fault(
              "goes only with %s: %s, not with %s: take it out"
                  .formatted(only.with(), String.join(", ", only.words()), other));
        }
        return;
      }
    }
    if (field.required() && place == null) {
      location.absent(field.name()).fault("is missing: " + field.description());
    }
  }

  /** A field's word: what the file says, or what holds if it says nothing. */
  private @Nullable String word(
      String name, Map<String, Location> places, Map<String, Object> values) {
    var place = places.get(name);
    if (place != null) {
      return values.containsKey(name) && place.node() instanceof ScalarNode scalar
          ? scalar.getValue()
          : null;
    }
    var field = field(name);
    return field == null ? null : Objects.toString(field.fallback(), null);
  }

  private @Nullable Field<?> field(String name) {
    return fields.stream().filter(field -> field.name().equals(name)).findFirst().orElse(null);
  }

  private String known(String name) {
    var suggestion = Suggestion.hint(name, fields.stream().map(Field::name).toList());
    return suggestion.isEmpty() ? "; its fields are " + names() : suggestion;
  }

  private String names() {
    return String.join(", ", fields.stream().map(Field::name).toList());
  }

  @Override
  public Map<String, Object> schema() {
    var properties = new LinkedHashMap<String, Object>();
    var required = new ArrayList<String>();
    var conditions = new ArrayList<Map<String, Object>>();
    for (var field : fields) {
      properties.put(field.name(), field.schema());
      var only = field.only();
      if (only != null) {
        conditions.add(condition(field, only));
      } else if (field.required()) {
        required.add(field.name());
      }
    }
    var schema = Scalars.ordered("type", "object", "properties", properties);
    schema.put("required", required);
    schema.put("additionalProperties", false);
    if (!conditions.isEmpty()) {
      schema.put("allOf", conditions);
    }
    return schema;
  }

  private static Map<String, Object> condition(Field<?> field, Field.Only only) {
    if (only.words().isEmpty()) {
      return exclusion(field, only);
    }
    var other = Map.of(only.with(), Map.of("enum", only.words()));
    var schema =
        Scalars.ordered(
            "if", Scalars.ordered("properties", other, "required", List.of(only.with())));
    if (field.required()) {
      schema.put("then", Map.of("required", List.of(field.name())));
    }
    schema.put("else", Map.of("properties", Map.of(field.name(), false)));
    return schema;
  }

  private static Map<String, Object> exclusion(Field<?> field, Field.Only only) {
    var schema =
        Scalars.ordered(
            "if",
            Map.of("required", List.of(only.with())),
            "then",
            Map.of("properties", Map.of(field.name(), false)));
    if (field.required()) {
      schema.put("else", Map.of("required", List.of(field.name())));
    }
    return schema;
  }
}

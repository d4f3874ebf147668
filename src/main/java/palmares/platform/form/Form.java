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
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.form.SchemaNode.MapNode;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/**
 * A schema node for a group of known fields.
 *
 * @param what names the group in messages, as in {@code a board}; its code with a field's name is
 *     the code of what describes the field, in messages and in the JSON Schema
 * @param fields in the order in which messages and the JSON Schema list them
 */
public record Form(Sentence what, List<Field<?>> fields) implements SchemaNode<FormValue> {
  public Form {
    fields = List.copyOf(fields);
  }

  /** Reads the fields; returns the valid ones even if others are invalid. */
  @Override
  public @Nullable FormValue read(Location location) {
    if (!(location.node() instanceof MappingNode node)) {
      location.fault(new FormSentences.MustBeForm(what, names(), location.value()));
      return null;
    }
    int before = location.faultCount();
    var locations = new HashMap<String, Location>();
    var values = new HashMap<String, Object>();
    var lines = new HashMap<String, Integer>();
    for (var tuple : node.getValue()) {
      var name = MapNode.name(location, tuple.getKeyNode(), lines);
      var field = name == null ? null : field(name);
      if (field != null) {
        var fieldLocation = location.within(field.name(), tuple.getKeyNode(), tuple.getValueNode());
        locations.put(field.name(), fieldLocation);
        var value = field.schemaNode().read(fieldLocation);
        if (value != null) {
          values.put(field.name(), value);
        }
      } else if (name != null) {
        location
            .within(name, tuple.getKeyNode(), tuple.getKeyNode())
            .fault(new FormSentences.IsNoField(what, hint(name)));
      }
    }
    fields.forEach(field -> checkPresence(field, location, locations, values));
    return new FormValue(location, locations, values, location.faultCount() == before);
  }

  /** A node that converts the form if all its fields are valid. */
  public <T> SchemaNode<T> mapValid(Function<FormValue, T> change) {
    return map(formValue -> formValue.isValid() ? change.apply(formValue) : null);
  }

  private void checkPresence(
      Field<?> field,
      Location location,
      Map<String, Location> locations,
      Map<String, Object> values) {
    var found = locations.get(field.name());
    var condition = field.condition();
    if (condition != null) {
      Sentence reason = null;
      if (!condition.words().isEmpty()) {
        var word = word(condition.other(), locations, values);
        if (word == null) {
          return; // The other field has its own fault.
        }
        if (!condition.words().contains(word)) {
          reason = new FormSentences.OnlyWith(condition.other(), condition.words(), word);
        }
      } else if (locations.containsKey(condition.other())) {
        reason = new FormSentences.NotWith(condition.other());
      }
      if (reason != null) {
        if (found != null) {
          found.fault(reason);
        }
        return;
      }
    }
    if (field.required() && found == null) {
      location.absent(field.name()).fault(new FormSentences.IsMissing(description(field)));
    }
  }

  /** The text of a field's value or default; null if invalid, or absent without a default. */
  private @Nullable String word(
      String name, Map<String, Location> locations, Map<String, Object> values) {
    var found = locations.get(name);
    if (found != null) {
      String word = found.node() instanceof ScalarNode scalar ? scalar.getValue() : Field.GROUP;
      return values.containsKey(name) ? word : null;
    }
    var field = field(name);
    return field == null ? null : Objects.toString(field.defaultValue(), null);
  }

  private @Nullable Field<?> field(String name) {
    return fields.stream().filter(field -> field.name().equals(name)).findFirst().orElse(null);
  }

  private Sentence description(Field<?> field) {
    return new Said(what.code() + "." + field.name(), Map.of(), field.name());
  }

  private Sentence hint(String name) {
    var meant = DidYouMean.of(name, names());
    return meant == null ? new FormSentences.FieldsAre(names()) : meant;
  }

  private List<String> names() {
    return fields.stream().<String>map(Field::name).toList();
  }

  @Override
  public Map<String, Object> schema() {
    var properties = new LinkedHashMap<String, Object>();
    var required = new ArrayList<String>();
    var conditions = new ArrayList<Map<String, Object>>();
    for (var field : fields) {
      properties.put(field.name(), field.schema(Texts.english(description(field))));
      var condition = field.condition();
      if (condition != null) {
        conditions.add(condition(field, condition));
      } else if (field.required()) {
        required.add(field.name());
      }
    }
    var schema = Scalar.ordered("type", "object", "properties", properties);
    schema.put("required", required);
    schema.put("additionalProperties", false);
    if (!conditions.isEmpty()) {
      schema.put("allOf", conditions);
    }
    return schema;
  }

  private static Map<String, Object> condition(Field<?> field, Field.Condition condition) {
    if (condition.words().isEmpty()) {
      return exclusion(field, condition);
    }
    Map<String, Object> words =
        Map.of(
            "enum", condition.words().stream().filter(word -> !word.equals(Field.GROUP)).toList());
    boolean orGroup = condition.words().contains(Field.GROUP);
    var other =
        Map.of(
            condition.other(),
            orGroup ? Map.of("anyOf", List.of(words, Map.of("type", "object"))) : words);
    var schema =
        Scalar.ordered(
            "if", Scalar.ordered("properties", other, "required", List.of(condition.other())));
    if (field.required()) {
      schema.put("then", Map.of("required", List.of(field.name())));
    }
    schema.put("else", Map.of("properties", Map.of(field.name(), false)));
    return schema;
  }

  private static Map<String, Object> exclusion(Field<?> field, Field.Condition condition) {
    var schema =
        Scalar.ordered(
            "if", Map.of("required", List.of(condition.other())),
            "then", Map.of("properties", Map.of(field.name(), false)));
    if (field.required()) {
      schema.put("else", Map.of("required", List.of(field.name())));
    }
    return schema;
  }
}

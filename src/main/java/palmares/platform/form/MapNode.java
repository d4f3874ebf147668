package palmares.platform.form;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * A schema node for a map with at least one entry, whose keys the file's author chooses.
 *
 * @param what names the map in messages, as in {@code actions by name}
 * @param key reads the keys
 * @param value reads the values
 */
public record MapNode<K, V>(String what, Scalar<K> key, SchemaNode<V> value)
    implements SchemaNode<List<Entry<K, V>>> {

  @Override
  public @Nullable List<Entry<K, V>> read(Location location) {
    if (!(location.node() instanceof MappingNode node)) {
      location.fault("must be %s, not %s".formatted(what, location.describeValue()));
      return null;
    }
    if (node.getValue().isEmpty()) {
      location.fault("is empty: it must be %s, at least one".formatted(what));
      return null;
    }
    var entries = new ArrayList<Entry<K, V>>();
    var lines = new HashMap<String, Integer>();
    for (var tuple : node.getValue()) {
      var name = name(location, tuple.getKeyNode(), lines);
      if (name != null) {
        var readKey =
            key.readText(name, location.within(name, tuple.getKeyNode(), tuple.getKeyNode()));
        var valueLocation = location.within(name, tuple.getKeyNode(), tuple.getValueNode());
        var readValue = value.read(valueLocation);
        if (readKey != null) {
          entries.add(new Entry<>(readKey, readValue, valueLocation));
        }
      }
    }
    return entries;
  }

  /**
   * Reads the key of an entry; null if it is not a plain name or a duplicate.
   *
   * @param lines the line of each key read so far, by key
   */
  static @Nullable String name(Location location, Node node, Map<String, Integer> lines) {
    if (!(node instanceof ScalarNode scalar)) {
      location
          .within("?", node, node)
          .fault("must be a plain name, not a list or a group of fields");
      return null;
    }
    var keyLocation = location.within(scalar.getValue(), node, node);
    var first = lines.putIfAbsent(scalar.getValue(), keyLocation.line());
    if (first != null) {
      keyLocation.fault("is a duplicate of line %d: remove one of them".formatted(first));
      return null;
    }
    return scalar.getValue();
  }

  @Override
  public Map<String, Object> schema() {
    return Scalar.ordered(
        "type",
        "object",
        "minProperties",
        1,
        "propertyNames",
        key.schema(),
        "additionalProperties",
        value.schema());
  }
}

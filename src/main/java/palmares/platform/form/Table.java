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
 * Values by names that the file's author chooses; at least one.
 *
 * @param what names it in messages, as in {@code actions by name}
 * @param key what a name may be
 * @param value what stands behind it
 */
public record Table<K, V>(String what, Scalar<K> key, SchemaNode<V> value)
    implements SchemaNode<List<Entry<K, V>>> {

  @Override
  public @Nullable List<Entry<K, V>> read(Location location) {
    if (!(location.node() instanceof MappingNode node)) {
      location.fault("must be %s, not %s".formatted(what, location.seen()));
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
        var keyRead =
            key.readText(name, location.within(name, tuple.getKeyNode(), tuple.getKeyNode()));
        var valueSpot = location.within(name, tuple.getKeyNode(), tuple.getValueNode());
        var valueRead = value.read(valueSpot);
        if (keyRead != null) {
          entries.add(new Entry<>(keyRead, valueRead, valueSpot));
        }
      }
    }
    return entries;
  }

  /** The name in front of a value; null if it is none, or was there before. */
  static @Nullable String name(Location location, Node node, Map<String, Integer> lines) {
    if (!(node instanceof ScalarNode scalar)) {
      location
          .within("?", node, node)
          .fault("must be a plain name, not a list or a group of fields");
      return null;
    }
    var place = location.within(scalar.getValue(), node, node);
    var first = lines.putIfAbsent(scalar.getValue(), place.line());
    if (first != null) {
      place.fault("is there twice, first in line %d: leave one of them".formatted(first));
      return null;
    }
    return scalar.getValue();
  }

  @Override
  public Map<String, Object> schema() {
    return Scalars.ordered(
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

package palmares.platform.form;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A schema node for a list with at least one item.
 *
 * @param what names the list in messages, as in {@code a list of rules}
 */
public record ListNode<T>(String what, SchemaNode<T> item)
    implements SchemaNode<List<Entry<Integer, T>>> {

  @Override
  public @Nullable List<Entry<Integer, T>> read(Location location) {
    if (!(location.node() instanceof SequenceNode node)) {
      location.fault("must be %s, not %s".formatted(what, location.describeValue()));
      return null;
    }
    if (node.getValue().isEmpty()) {
      location.fault("is empty: it must be %s, at least one".formatted(what));
      return null;
    }
    var items = new ArrayList<Entry<Integer, T>>();
    for (var child : node.getValue()) {
      int number = items.size() + 1;
      var itemLocation = location.item(number, child);
      items.add(new Entry<>(number, item.read(itemLocation), itemLocation));
    }
    return items;
  }

  @Override
  public Map<String, Object> schema() {
    return Scalar.ordered("type", "array", "minItems", 1, "items", item.schema());
  }
}

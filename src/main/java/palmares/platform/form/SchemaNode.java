package palmares.platform.form;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import palmares.platform.text.Sentence;

/**
 * Reads one kind of value from a file, and describes that kind as JSON Schema.
 *
 * @param <T> the type of the read value
 */
public interface SchemaNode<T> {
  /** Reads the value; returns null and records the faults if it is invalid. */
  @Nullable T read(Location location);

  Map<String, Object> schema();

  /**
   * A node that reads the same values and converts them.
   *
   * @param change may return null, which invalidates the value
   */
  default <R> SchemaNode<R> map(Function<T, @Nullable R> change) {
    var plain = this;
    return new SchemaNode<>() {
      @Override
      public @Nullable R read(Location location) {
        var value = plain.read(location);
        return value == null ? null : change.apply(value);
      }

      @Override
      public Map<String, Object> schema() {
        return plain.schema();
      }
    };
  }

  /**
   * One entry of a map or one item of a list, as read from a file.
   *
   * @param key the entry's name, or the item's number from 1
   * @param value null if the value is invalid; its fault is recorded
   * @param location where the value is in the file
   */
  record Entry<K, V>(K key, @Nullable V value, Location location) {
    /** Records a fault of the value. */
    public void fault(Sentence said) {
      location.fault(said);
    }
  }

  /**
   * A schema node for a list with at least one item.
   *
   * @param what names the list in messages, as in {@code a list of rules}
   */
  record ListNode<T>(Sentence what, SchemaNode<T> item)
      implements SchemaNode<List<Entry<Integer, T>>> {
    @Override
    public @Nullable List<Entry<Integer, T>> read(Location location) {
      if (!(location.node() instanceof SequenceNode node)) {
        location.fault(new FormSentences.MustBe(what, location.value(), null));
        return null;
      }
      if (node.getValue().isEmpty()) {
        location.fault(new FormSentences.IsEmpty(what));
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

  /**
   * A schema node with two alternatives, chosen by the value's type in YAML.
   *
   * @param isFirst whether the first alternative reads a YAML node
   */
  record OneOf<T>(Predicate<Node> isFirst, SchemaNode<T> first, SchemaNode<T> second)
      implements SchemaNode<T> {
    public static <T> OneOf<T> numberOrText(Scalar<T> number, Scalar<T> text) {
      return new OneOf<>(
          node -> node instanceof ScalarNode scalar && Scalar.Type.of(scalar) == Scalar.Type.NUMBER,
          number,
          text);
    }

    /** A single value, or a group of fields that says more. */
    public static <T> OneOf<T> scalarOrForm(Scalar<T> scalar, SchemaNode<T> form) {
      return new OneOf<>(ScalarNode.class::isInstance, scalar, form);
    }

    @Override
    public @Nullable T read(Location location) {
      return (isFirst.test(location.node()) ? first : second).read(location);
    }

    @Override
    public Map<String, Object> schema() {
      return Scalar.ordered("anyOf", List.of(first.schema(), second.schema()));
    }
  }

  /**
   * A schema node for a map with at least one entry, whose keys the file's author chooses.
   *
   * @param what names the map in messages, as in {@code actions by name}
   * @param key reads the keys
   * @param value reads the values
   */
  record MapNode<K, V>(Sentence what, Scalar<K> key, SchemaNode<V> value)
      implements SchemaNode<List<Entry<K, V>>> {
    @Override
    public @Nullable List<Entry<K, V>> read(Location location) {
      if (!(location.node() instanceof MappingNode node)) {
        location.fault(new FormSentences.MustBe(what, location.value(), null));
        return null;
      }
      if (node.getValue().isEmpty()) {
        location.fault(new FormSentences.IsEmpty(what));
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
        location.within("?", node, node).fault(new FormSentences.IsNoName());
        return null;
      }
      var keyLocation = location.within(scalar.getValue(), node, node);
      var first = lines.putIfAbsent(scalar.getValue(), keyLocation.line());
      if (first != null) {
        keyLocation.fault(new FormSentences.IsDuplicate(first));
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
}

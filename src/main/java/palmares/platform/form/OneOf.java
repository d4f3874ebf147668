package palmares.platform.form;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * A schema node with two alternatives, chosen by the value's type in YAML.
 *
 * @param isFirst whether the first alternative reads a YAML node
 */
public record OneOf<T>(Predicate<Node> isFirst, SchemaNode<T> first, SchemaNode<T> second)
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

package palmares.platform.form;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** A single value that is either a number or a text. */
public record NumberOrText<T>(Scalar<T> number, Scalar<T> text) implements SchemaNode<T> {

  @Override
  public @Nullable T read(Location location) {
    return location.node() instanceof ScalarNode node && Kind.of(node) == Kind.NUMBER
        ? number.read(location)
        : text.read(location);
  }

  @Override
  public Map<String, Object> schema() {
    return Scalars.ordered("anyOf", List.of(number.schema(), text.schema()));
  }
}

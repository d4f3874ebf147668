package palmares.form;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** A single value that is either a number or a text. */
public record ByKind<T>(Scalar<T> number, Scalar<T> text) implements Shape<T> {

  @Override
  public @Nullable T read(Spot spot) {
    return spot.node() instanceof ScalarNode node && Kind.of(node) == Kind.NUMBER
        ? number.read(spot)
        : text.read(spot);
  }

  @Override
  public Map<String, Object> schema() {
    return Scalars.ordered("anyOf", List.of(number.schema(), text.schema()));
  }
}

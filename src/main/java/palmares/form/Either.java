package palmares.form;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** One value that says it all, or a group of fields that says more. */
public record Either<T>(Shape<T> single, Shape<T> group) implements Shape<T> {

  @Override
  public @Nullable T read(Spot spot) {
    return spot.node() instanceof ScalarNode ? single.read(spot) : group.read(spot);
  }

  @Override
  public Map<String, Object> schema() {
    return Scalars.ordered("anyOf", List.of(single.schema(), group.schema()));
  }
}

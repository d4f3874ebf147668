package palmares.platform.form;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** One value that says it all, or a group of fields that says more. */
public record ScalarOrForm<T>(SchemaNode<T> single, SchemaNode<T> group) implements SchemaNode<T> {

  @Override
  public @Nullable T read(Location location) {
    return location.node() instanceof ScalarNode ? single.read(location) : group.read(location);
  }

  @Override
  public Map<String, Object> schema() {
    return Scalars.ordered("anyOf", List.of(single.schema(), group.schema()));
  }
}

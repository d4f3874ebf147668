package palmares.platform.form;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** A value in a file, with its line and the path of its field. */
public final class Location {
  private final Node node;
  private final int line;
  private final String field;
  private final Faults faults;

  /** The whole file. */
  Location(Node root, Faults faults) {
    this(root, root, "", faults);
  }

  /**
   * @param begin the node whose line is reported: that of the key, if the value has one
   */
  private Location(Node begin, Node node, String field, Faults faults) {
    this.line = begin.getStartMark().getLine() + 1;
    this.node = node;
    this.field = field;
    this.faults = faults;
  }

  /** Records a fault of this value; the message is a format, and continues the field's path. */
  public void fault(String format, @Nullable Object... values) {
    faults.add(line, field, values.length == 0 ? format : format.formatted(values));
  }

  int line() {
    return line;
  }

  Node node() {
    return node;
  }

  int faultCount() {
    return faults.count();
  }

  Location within(String step, Node key, Node value) {
    return new Location(key, value, path(step), faults);
  }

  Location item(int number, Node value) {
    return new Location(value, value, "%s[%s]".formatted(field, number), faults);
  }

  /** The location of a missing field: the line where this value begins. */
  Location absent(String step) {
    return new Location(node, node, path(step), faults);
  }

  private String path(String step) {
    return field.isEmpty() ? step : field + "." + step;
  }

  String describeValue() {
    if (node instanceof ScalarNode scalar) {
      var text = scalar.getValue();
      return "'%s'".formatted(text.length() > 60 ? text.substring(0, 60) + "…" : text);
    }
    return switch (node.getNodeId()) {
      case sequence -> "a list";
      default -> "a group of fields";
    };
  }
}

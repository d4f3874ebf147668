package palmares.platform.form;

import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** A value where it stands in a file. */
public final class Location {
  private final Node node;
  private final int line;
  private final String field;
  private final Faults faults;

  /** The whole file. */
  Location(Node root, Faults faults) {
    this(root, root, "", faults);
  }

  /** A value whose place is where {@code begin} stands: its name's line, if it has a name. */
  private Location(Node begin, Node node, String field, Faults faults) {
    this.line = begin.getStartMark().getLine() + 1;
    this.node = node;
    this.field = field;
    this.faults = faults;
  }

  /** Notes that this value is wrong; the message goes on after the field's name. */
  public void fault(String message) {
    faults.add(line, field, message);
  }

  int line() {
    return line;
  }

  Node node() {
    return node;
  }

  /** How many faults the file has so far: whoever reads a part sees whether it added some. */
  int faultsSoFar() {
    return faults.count();
  }

  /** A value within this one, behind its name. */
  Location within(String step, Node name, Node value) {
    return new Location(name, value, path(step), faults);
  }

  Location item(int number, Node value) {
    return new Location(value, value, "%s[%d]".formatted(field, number), faults);
  }

  /** A field that this value should have and has not: its place is where the value begins. */
  Location absent(String step) {
    return new Location(node, node, path(step), faults);
  }

  private String path(String step) {
    return field.isEmpty() ? step : field + "." + step;
  }

  /** The value in words, for messages. */
  String seen() {
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

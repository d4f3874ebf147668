package palmares.form;

import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** A value where it stands in a file. */
public final class Spot {
  private final Node node;
  private final String field;
  private final Faults faults;

  Spot(Node node, String field, Faults faults) {
    this.node = node;
    this.field = field;
    this.faults = faults;
  }

  /** Notes that this value is wrong; the message goes on after the field's name. */
  public void fault(String message) {
    faults.add(line(), field, message);
  }

  int line() {
    return node.getStartMark().getLine() + 1;
  }

  Node node() {
    return node;
  }

  /** How many faults the file has so far: whoever reads a part sees whether it added some. */
  int faultsSoFar() {
    return faults.count();
  }

  /** A value within this one. */
  Spot within(String step, Node value) {
    return new Spot(value, field.isEmpty() ? step : field + "." + step, faults);
  }

  Spot item(int number, Node value) {
    return new Spot(value, "%s[%d]".formatted(field, number), faults);
  }

  /** A field that this value should have and has not: its place is where the value begins. */
  Spot absent(String step) {
    return within(step, node);
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

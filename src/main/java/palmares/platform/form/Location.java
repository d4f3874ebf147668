package palmares.platform.form;

import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import palmares.platform.text.Sentence;

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

  /** Records a fault of this value, which continues the field's path. */
  public void fault(Sentence said) {
    faults.add(line, field, said);
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

  Sentence value() {
    if (node instanceof ScalarNode scalar) {
      var text = scalar.getValue();
      return new FormSentences.Quoted(text.length() > 60 ? text.substring(0, 60) + "…" : text);
    }
    return switch (node.getNodeId()) {
      case sequence -> new FormSentences.AList();
      default -> new FormSentences.AGroup();
    };
  }
}

package palmares.platform.form;

import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * What a single value is by YAML 1.2, which editors go by. SnakeYAML itself goes by 1.1, where
 * {@code yes} is true, {@code 1_000} a number and {@code 10:00} six hundred.
 */
enum Kind {
  NOTHING("|~|null|Null|NULL"),
  FLAG("true|True|TRUE|false|False|FALSE"),
  NUMBER(
      "[-+]?(\\.\\d+|\\d+(\\.\\d*)?)([eE][-+]?\\d+)?|0o[0-7]+|0x[0-9a-fA-F]+"
          + "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)"),
  TEXT(".*");

  private final Pattern schemaNode;

  Kind(String schemaNode) {
    this.schemaNode = Pattern.compile(schemaNode, Pattern.DOTALL);
  }

  static Kind of(ScalarNode node) {
    if (node.getScalarStyle() != ScalarStyle.PLAIN) {
      return TEXT;
    }
    for (var kind : values()) {
      if (kind.schemaNode.matcher(node.getValue()).matches()) {
        return kind;
      }
    }
    throw new AssertionError("every value is a text at the least");
  }
}

package palmares.platform.form;

import java.io.StringReader;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.reader.ReaderException;

/** The text of a file as a tree: one document, no anchors, aliases or tags, of limited size. */
public final class YamlText {
  /** The longest file, in characters. */
  public static final int MOST_CHARACTERS = 256 * 1024;

  private static final int MOST_NESTING = 20;

  private YamlText() {}

  /** The whole file, to be read by a shape; null if it is no such tree, which is noted. */
  public static @Nullable Location read(String text, Faults faults) {
    if (text.length() > MOST_CHARACTERS) {
      faults.add(0, "", "is longer than %d characters".formatted(MOST_CHARACTERS));
      return null;
    }
    try {
      int before = faults.count();
      yaml().parse(new StringReader(text)).forEach(event -> refuseShortcuts(event, faults));
      var root = yaml().compose(new StringReader(text));
      if (root == null) {
        faults.add(1, "", "is empty");
      }
      return root == null || faults.count() > before ? null : new Location(root, faults);
    } catch (MarkedYAMLException e) {
      var mark = e.getProblemMark();
      faults.add(mark == null ? 0 : mark.getLine() + 1, "", "is no YAML: " + e.getProblem());
    } catch (ReaderException e) {
      faults.add(line(text, e.getPosition()), "", unprintable(e));
    } catch (YAMLException e) {
      faults.add(0, "", "is no YAML: " + e.getMessage());
    }
    return null;
  }

  /** A board's rules stand where they are read: nothing in the file refers to elsewhere in it. */
  private static void refuseShortcuts(Event event, Faults faults) {
    boolean tagged =
        event instanceof ScalarEvent scalar && scalar.getTag() != null
            || event instanceof CollectionStartEvent start && start.getTag() != null;
    boolean anchored = event instanceof NodeEvent node && node.getAnchor() != null;
    if (tagged || anchored || event instanceof AliasEvent) {
      faults.add(
          event.getStartMark().getLine() + 1,
          "",
          "uses a YAML tag (!), anchor (&) or alias (*): write the value itself, or put it in"
              + " quotes");
    }
  }

  private static String unprintable(ReaderException e) {
    return "holds the character U+%04X, which no YAML text may".formatted(e.getCodePoint());
  }

  private static int line(String text, int position) {
    var before = text.codePoints().limit(position);
    return 1 + (int) before.filter(character -> character == '\n').count();
  }

  private static Yaml yaml() {
    var limits = new LoaderOptions();
    limits.setCodePointLimit(MOST_CHARACTERS);
    limits.setNestingDepthLimit(MOST_NESTING);
    return new Yaml(new SafeConstructor(limits));
  }
}

package palmares.platform.form;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** Parses YAML: one document of limited size, without anchors, aliases and tags. */
public final class YamlText {
  public static final int MAX_CHARACTERS = 256 * 1024;

  private static final int MAX_NESTING_DEPTH = 20;

  private YamlText() {}

  /** The location of the whole document; null if it cannot be parsed, which is recorded. */
  public static @Nullable Location read(String text, Faults faults) {
    if (text.length() > MAX_CHARACTERS) {
      faults.add(0, "", new FormSentences.IsTooLong(MAX_CHARACTERS));
      return null;
    }
    try {
      int before = faults.count();
      var limits = new LoaderOptions();
      limits.setCodePointLimit(MAX_CHARACTERS);
      var checked = new Checked(new StreamReader(text), limits, faults);
      var root = new Composer(checked, new Resolver(), limits).getSingleNode();
      if (root == null) {
        faults.add(1, "", new FormSentences.HasNothing());
      }
      return root == null || faults.count() > before ? null : new Location(root, faults);
    } catch (MarkedYAMLException e) {
      var mark = e.getProblemMark();
      faults.add(
          mark == null ? 0 : mark.getLine() + 1,
          "",
          new FormSentences.IsNoYaml(String.valueOf(e.getProblem())));
    } catch (ReaderException e) {
      faults.add(
          line(text, e.getPosition()),
          "",
          new FormSentences.HasCharacter("U+%04X".formatted(e.getCodePoint())));
    } catch (YAMLException e) {
      faults.add(0, "", new FormSentences.IsNoYaml(String.valueOf(e.getMessage())));
    }
    return null;
  }

  /** Checks each event once, when the composer takes it. */
  private static final class Checked extends ParserImpl {
    private final Faults faults;
    private int depth;

    Checked(StreamReader text, LoaderOptions limits, Faults faults) {
      super(text, limits);
      this.faults = faults;
    }

    @Override
    public Event getEvent() {
      Event event = super.getEvent();
      depth += depthChange(event);
      if (depth > MAX_NESTING_DEPTH) { // Else the parser takes minutes for a file of brackets.
        throw new YAMLException("Nesting Depth exceeded max " + MAX_NESTING_DEPTH);
      }
      rejectReferences(event, faults);
      return event;
    }
  }

  private static int depthChange(Event event) {
    if (event instanceof CollectionStartEvent) {
      return 1;
    }
    return event instanceof CollectionEndEvent ? -1 : 0;
  }

  /** A reader must find each value where it is used, not elsewhere in the file. */
  private static void rejectReferences(Event event, Faults faults) {
    boolean tagged =
        event instanceof ScalarEvent scalar && scalar.getTag() != null
            || event instanceof CollectionStartEvent start && start.getTag() != null;
    boolean anchored = event instanceof NodeEvent node && node.getAnchor() != null;
    if (tagged || anchored || event instanceof AliasEvent) {
      faults.add(event.getStartMark().getLine() + 1, "", new FormSentences.HasReference());
    }
  }

  private static int line(String text, int position) {
    var before = text.codePoints().limit(position);
    return 1 + (int) before.filter(character -> character == '\n').count();
  }
}

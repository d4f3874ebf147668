package palmares.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import palmares.platform.text.Next;

/** Spells a next step as a command of a shell. */
final class Commands {
  /** What a person must add to a verb. */
  private static final String REASON = " --reason TEXT";

  /** Fields that a command takes as arguments, in this order. */
  private static final List<String> ARGUMENTS =
      List.of("board", "period", "list", "member", "id", "name");

  /** How a command is called that has another name than its operation. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("approve-batch", "approve --batch"),
          Map.entry("create-list", "lists create"),
          Map.entry("resume-batch", "batches resume"));

  /** Commands that change nothing, so that they need no reason. */
  private static final List<String> READS =
      List.of("preview", "report", "runs", "periods", "exclusions", "batches", "late", "inbox");

  private Commands() {}

  /** The command, such as {@code palmares close invites 2026-W43 --reason TEXT}. */
  static String of(Next next) {
    var words = new ArrayList<String>();
    words.add("palmares");
    words.add(NAMES.getOrDefault(next.verb(), next.verb()));
    ARGUMENTS.stream()
        .map(next.fields()::get)
        .filter(Objects::nonNull)
        .map(Commands::quoted)
        .forEach(words::add);
    next.fields().forEach((field, value) -> addOption(field, value, words));
    return words.stream().collect(Collectors.joining(" "))
        + (READS.contains(next.verb()) ? "" : REASON);
  }

  private static void addOption(String field, Object value, List<String> words) {
    if (ARGUMENTS.contains(field) || value.equals(false)) {
      return;
    }
    words.add("--" + field.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT));
    if (value instanceof Collection<?> choices) {
      words.add(choices.stream().map(String::valueOf).collect(Collectors.joining("|")));
    } else if (!value.equals(true)) {
      words.add(quoted(value));
    }
  }

  /** A value that a shell takes as one word. */
  private static String quoted(Object value) {
    String text = value.toString();
    return text.matches("[\\w.,:@/+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}

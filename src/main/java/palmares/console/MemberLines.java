package palmares.console;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import palmares.console.VerbForm.Values;
import palmares.operations.tasks.Task;
import palmares.period.exclusion.ExclusionFile;
import palmares.period.exclusion.ExclusionSentences;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.CsvText;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;

/**
 * Members that a person has pasted into a form: ids, one on each line, which all get the level and
 * the reason of the form; or CSV whose first line names its columns.
 */
final class MemberLines {
  private static final Pattern BETWEEN_CELLS = Pattern.compile("[,;]");
  private static final Pattern QUOTE = Pattern.compile("\"");

  private MemberLines() {}

  /**
   * Calls a verb with the CSV of what was pasted. A refusal names the lines as they were pasted.
   *
   * @throws Refusal if nothing was pasted, or ids have no level
   */
  static Task call(Values values, Function<String, Task> verb) {
    String text = values.text("csv");
    if (isHeading(text.lines().findFirst().orElse(""))) {
      return verb.apply(text);
    }
    try {
      return verb.apply(csv(text.lines().toList(), values));
    } catch (Refusal refusal) {
      throw new Refusal(refusal.problem(), withoutHeading(refusal.said()))
          .then(refusal.next().toArray(Next[]::new));
    }
  }

  /** Whether each cell names a column: an id that does is taken for one, too. */
  private static boolean isHeading(String line) {
    return BETWEEN_CELLS
        .splitAsStream(line)
        .map(cell -> QUOTE.matcher(cell).replaceAll("").strip().toLowerCase(Locale.ROOT))
        .allMatch(ExclusionFile.COLUMNS::contains);
  }

  private static String csv(List<String> ids, Values values) {
    String level = values.find("level");
    if (level == null) {
      throw new Refusal(Problem.MISSING_FIELD, new ExclusionSentences.LevelMissing()).at("level");
    }
    String rest = "," + level + "," + quoted(values.reason() == null ? "" : values.reason());
    return ids.stream()
        .map(id -> id.isBlank() ? "" : quoted(CsvText.written(id.strip())) + rest)
        .collect(Collectors.joining("\n", "member,level,reason\n", "\n"));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  /** The same of lines as they were pasted. */
  private static Sentence withoutHeading(Sentence said) {
    if (said instanceof ExclusionSentences.Line line) {
      return new ExclusionSentences.Line(line.line() - 1, line.said());
    }
    if (said instanceof ExclusionSentences.UnknownMembers unknown) {
      return new ExclusionSentences.UnknownMembers(withoutHeading(unknown.members()));
    }
    if (said instanceof ListSentences.Lines lines) {
      return new ListSentences.Lines(withoutHeading(lines.all()));
    }
    return said instanceof ListSentences.FirstLines lines
        ? new ListSentences.FirstLines(withoutHeading(lines.first()), lines.more())
        : said;
  }

  private static List<Sentence> withoutHeading(List<?> lines) {
    return lines.stream().map(Sentence.class::cast).map(MemberLines::withoutHeading).toList();
  }
}

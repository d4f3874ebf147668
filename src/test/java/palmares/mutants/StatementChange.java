package palmares.mutants;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the line of a mutant in the statements that the driver gets, by the lines around it, and
 * changes it there. So a statement is changed wherever its text is from, and no class is loaded
 * again.
 */
final class StatementChange {
  private static final int LINES_AROUND = 2;

  /** What a statement has in place of what its file names. */
  private static final Pattern NAMED =
      Pattern.compile("(?<![:\\w]):[a-z]\\w*|\\{\\w+\\}|%(?:\\d\\$)?[sI]|\\\\ir \\S+|%%");

  private final Pattern pattern;

  /** Texts that a statement with the line contains: a search that is quick where there is none. */
  private final List<String> literals;

  private final List<String> after;
  private final Map<String, Optional<String>> known = new ConcurrentHashMap<>();

  private StatementChange(Pattern pattern, List<String> literals, List<String> after) {
    this.pattern = pattern;
    this.literals = literals;
    this.after = after;
  }

  static StatementChange of(Mutant mutant) {
    List<String> lines = Mutant.lines(mutant.file());
    int last = Math.min(lines.size() - 1, mutant.number() + LINES_AROUND);
    var regex = new StringBuilder();
    for (int i = Math.max(0, mutant.number() - LINES_AROUND); i <= last; i++) {
      String line = lines.get(i).strip();
      boolean isOwn = i == mutant.number();
      boolean isText = !line.isEmpty() && !line.contains("\"\"\"") && !line.startsWith("-- ");
      if (isOwn) {
        regex.append("(?<own>").append(regex(line, true)).append(")");
      } else if (isText) {
        String part = regex(line, false);
        regex.append(i < mutant.number() ? part + "\\s+" : "\\s+" + part);
      } else if (i > mutant.number()) {
        break;
      } else {
        regex.setLength(0);
      }
    }
    return new StatementChange(
        Pattern.compile(regex.toString()),
        parts(lines.get(mutant.number()).strip()),
        parts(mutant.after()));
  }

  /** The statement with the change; empty if it has no such line. */
  Optional<String> changed(String sql) {
    return known.computeIfAbsent(sql, this::change);
  }

  boolean isIn(String sql) {
    return changed(sql).isPresent();
  }

  private Optional<String> change(String sql) {
    Matcher found = pattern.matcher(sql);
    if (!literals.stream().allMatch(sql::contains) || !found.find()) {
      return Optional.empty();
    }
    var line = new StringBuilder(after.get(0));
    for (int i = 1; i < after.size(); i++) {
      line.append(found.group("n" + i)).append(after.get(i));
    }
    return Optional.of(
        sql.substring(0, found.start("own")) + line + sql.substring(found.end("own")));
  }

  private static String regex(String line, boolean grouped) {
    var regex = new StringBuilder();
    List<String> parts = parts(line);
    List<String> named = NAMED.matcher(line).results().map(MatchResult::group).toList();
    for (int i = 0; i < parts.size(); i++) {
      regex.append(Pattern.quote(parts.get(i)));
      if (i < named.size()) {
        String other = named.get(i).startsWith(":") ? "\\?(?:, \\?)*" : "(?s:.*?)";
        regex.append((grouped ? "(?<n%d>".formatted(i + 1) : "(?:")).append(other).append(")");
      }
    }
    return regex.toString();
  }

  private static List<String> parts(String line) {
    return List.of(NAMED.split(line, -1));
  }
}

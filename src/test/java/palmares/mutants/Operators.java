package palmares.mutants;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Changes one line of SQL or Lua as somebody might who does not know its law. */
final class Operators {
  private static final Pattern QUOTED = Pattern.compile("'(?:[^'\\\\]|\\\\.|'')*'");
  private static final Pattern COMMENT = Pattern.compile("(?:^|\\s+)--\\s.*$");
  private static final Pattern BOUND = Pattern.compile("(?<= )(<=|>=|<|>)(?= |$)");
  private static final Pattern NUMBER = Pattern.compile("(?<= (?:<|>|=|<=|>=|==|~=|<>) )\\d+\\b");
  private static final Pattern ONE = Pattern.compile("(?<= [+-] )1\\b");
  private static final Pattern INTERVAL = Pattern.compile("interval '(\\d+) ([a-z]+)'");
  private static final Pattern LOCK =
      Pattern.compile("\\bfor (?:no key update|update|share)\\b(?: skip locked)?");
  private static final Pattern PERFORM = Pattern.compile("^perform (?!set_config).*;$");
  private static final Pattern CALL = Pattern.compile("^call\\(.*\\)$");
  private static final Pattern GUARD = Pattern.compile("^((?:else?)?if) (.*) then$");
  private static final Pattern JUNCTION =
      Pattern.compile(
          "(?<=^|[ (])(and|or|where|on) (?!conflict|commit|replace)(?<!between [^ ]{1,60} and )");
  private static final Pattern NOT =
      Pattern.compile("(?<!is )\\bnot (?!null|distinct|materialized|valid|in )");

  /** Where an operand of a condition ends, if no parenthesis in it is open. */
  private static final Pattern END_OF_OPERAND =
      Pattern.compile(
          " (?:and|or|then|group by|order by|returning|for|limit|on|join|where) |[,;)]|"
              + " (?:then|do)$");

  /** A line that continues the expression of the line before. */
  private static final Pattern CONTINUES =
      Pattern.compile("^(?:=|<|>|~|\\+|-|\\*|/|\\||is |in |not in |between |\\.\\.|then|\\().*");

  /** A setting of a function, such as how many rows are a sample. */
  private static final Pattern SETTING = Pattern.compile("^set [a-z_]+ = \\d+$");

  private static final Pattern DEFINITION =
      Pattern.compile("^(?:create|drop|alter|before|after|execute|language) |trigger");

  private static final List<String[]> WORDS =
      List.of(
          new String[] {" desc\\b", " asc"},
          new String[] {" asc\\b", " desc"},
          new String[] {"\\bleft join\\b", "join"},
          new String[] {"\\bunion all\\b", "union"},
          new String[] {"\\bdistinct (?!from|on)", ""},
          new String[] {"\\bgreatest\\(", "least("},
          new String[] {"\\bleast\\(", "greatest("},
          new String[] {"\\bmax\\(", "min("},
          new String[] {"\\bmin\\(", "max("},
          new String[] {" skip locked\\b", ""});

  private Operators() {}

  /**
   * Returns the changed lines.
   *
   * @param line without indentation
   * @param next the line after it, as the expression may go on there
   */
  static List<String> changes(String line, String next, boolean lua) {
    String code = COMMENT.matcher(masked(line)).replaceFirst("");
    if (SETTING.matcher(code).matches()) {
      return List.of();
    }
    var changes = new LinkedHashSet<String>();
    each(BOUND, code, found -> changes.add(put(line, found, strictness(found.group()))));
    each(
        NUMBER,
        code,
        found -> changes.add(put(line, found, Long.toString(Long.parseLong(found.group()) + 1))));
    each(ONE, code, found -> changes.add(put(line, found, "0")));
    each(NOT, code, found -> changes.add(put(line, found, "")));
    if (!code.isEmpty() && !lua) {
      each(
          INTERVAL,
          line,
          found ->
              changes.add(
                  put(
                      line,
                      found,
                      "interval '%s %s'"
                          .formatted(Integer.parseInt(found.group(1)) / 2, found.group(2)))));
      each(LOCK, code, found -> changes.add(put(line, found, "").strip()));
      for (String[] word : WORDS) {
        each(Pattern.compile(word[0]), code, found -> changes.add(put(line, found, word[1])));
      }
    }
    addWhole(changes, line, code);
    if (lua
        ? code.matches("(?:if|elseif|and|or|while|holds)\\b.*")
        : !DEFINITION.matcher(code).find()) {
      each(JUNCTION, code, found -> addWithout(changes, line, code, found, next, lua));
    }
    changes.remove(line);
    return new ArrayList<>(changes);
  }

  private static void addWhole(LinkedHashSet<String> changes, String line, String code) {
    if (PERFORM.matcher(code).matches()) {
      changes.add("null;");
    }
    if (CALL.matcher(code).matches()) {
      changes.add("do end");
    }
    var guard = GUARD.matcher(line);
    if (guard.matches() && guard.end() == code.length()) {
      changes.add("%s (%s) and false then".formatted(guard.group(1), guard.group(2)));
    }
  }

  /** The condition after the word has no effect. Its parameters stay. */
  private static void addWithout(
      LinkedHashSet<String> changes,
      String line,
      String code,
      MatchResult word,
      String next,
      boolean lua) {
    int end = endOfOperand(code, word.end());
    boolean goesOn = end == code.length() && (CONTINUES.matcher(next).matches() || isOpen(code));
    String operand = end < 0 ? "" : line.substring(word.end(), end).strip();
    if (operand.isEmpty()
        || goesOn
        || List.of("not", "true").contains(operand)
        || operand.endsWith("(")) {
      return;
    }
    boolean isOr = word.group(1).equals("or");
    if (lua && !isOr && code.startsWith(" or ", end)) {
      return; // the usual conditional expression of Lua
    }
    changes.add(
        line.substring(0, word.end())
            + (isOr ? "(%s and false)" : "(%s or true)").formatted(operand)
            + line.substring(end));
  }

  private static boolean isOpen(String code) {
    return code.matches(".*(?:[=<>+*/|(-]|\\b(?:and|or|not|is|from|in|between|then|on|as))$");
  }

  /** Returns -1 if a parenthesis stays open. */
  private static int endOfOperand(String code, int from) {
    int depth = 0;
    for (int i = from; i < code.length(); i++) {
      char c = code.charAt(i);
      if (depth == 0) {
        var end = END_OF_OPERAND.matcher(code).region(i, code.length());
        if (end.lookingAt()) {
          return i;
        }
      }
      depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
      if (depth < 0) {
        return i;
      }
    }
    return depth == 0 ? code.length() : -1;
  }

  private static String strictness(String operator) {
    return operator.endsWith("=") ? operator.substring(0, 1) : operator + "=";
  }

  private static void each(Pattern pattern, String code, Consumer<MatchResult> consumer) {
    pattern.matcher(code).results().forEach(consumer);
  }

  private static String put(String line, MatchResult found, String other) {
    return line.substring(0, found.start()) + other + line.substring(found.end());
  }

  /** The line with the contents of its quotes hidden, so that no operator is found there. */
  private static String masked(String line) {
    return QUOTED
        .matcher(line)
        .replaceAll(found -> "'" + "_".repeat(found.group().length() - 2) + "'");
  }
}

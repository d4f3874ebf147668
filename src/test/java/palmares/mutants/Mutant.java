package palmares.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/**
 * A change of one line of a file that some test must notice.
 *
 * @param number of the line in the file, from 0
 * @param before the line, without indentation
 * @param nth which one it is of equal changes in its file, from 1
 */
record Mutant(Path file, int number, String before, String after, int nth) {
  private static final Path ROOT = Path.of("");

  /** All changes of a file. In Java, the lines of statements are changed. */
  static List<Mutant> of(Path file) {
    List<String> lines = lines(file);
    String name = file.toString();
    boolean inText = !name.endsWith(".java");
    var mutants = new ArrayList<Mutant>();
    var equal = new HashMap<String, Integer>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (name.endsWith(".java") && line.contains("\"\"\"")) {
        inText = !inText;
      } else if (inText) {
        String next = i + 1 < lines.size() ? lines.get(i + 1).strip() : "";
        for (String after : Operators.changes(line, next, name.endsWith(".lua"))) {
          int nth = equal.merge(line + " => " + after, 1, Integer::sum);
          mutants.add(new Mutant(file, i, line, after, nth));
        }
      }
    }
    return mutants;
  }

  /** Names the change, also after its line has moved. */
  String key() {
    return "%s: %s => %s%s"
        .formatted(ROOT.resolve(file), before, after, nth == 1 ? "" : " #" + nth);
  }

  /** The first of the equal changes. */
  Mutant withoutNumber() {
    return new Mutant(file, number, before, after, 1);
  }

  /** The file with the change. */
  String text() {
    List<String> lines = new ArrayList<>(lines(file));
    String line = lines.get(number);
    lines.set(number, line.replace(before, after));
    return String.join("\n", lines) + "\n";
  }

  /**
   * The statement of a migration that has the line.
   *
   * @param lines of the migration, changed or not
   */
  String statement(String lines) {
    var statement = new StringBuilder();
    boolean inBody = false;
    List<String> all = lines.lines().toList();
    for (int i = 0; i < all.size(); i++) {
      String line = all.get(i);
      inBody ^= line.split("\\$\\$", -1).length % 2 == 0;
      statement.append(line).append('\n');
      if (!inBody && line.endsWith(";")) {
        if (i >= number) {
          break;
        }
        statement.setLength(0);
      }
    }
    return statement.toString();
  }

  boolean isLua() {
    return file.toString().endsWith(".lua");
  }

  boolean isMigration() {
    return file.startsWith(Path.of("db", "migration"));
  }

  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return key();
  }
}

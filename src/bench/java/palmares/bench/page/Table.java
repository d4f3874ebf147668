package palmares.bench.page;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A Markdown table: a column of text, then columns of numbers. */
final class Table {
  private final StringBuilder text = new StringBuilder();

  Table(String... headings) {
    row(List.of(headings));
    text.append("|---|").append("--:|".repeat(headings.length - 1)).append('\n');
  }

  Table row(String... cells) {
    return row(Arrays.asList(cells));
  }

  Table row(List<String> cells) {
    text.append(cells.stream().collect(Collectors.joining(" | ", "| ", " |\n")));
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

package palmares.operations.batches;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Sentence;

/** Reads and writes numbers and ranges of numbers, such as {@code 7,9-12}. */
public final class NumberRanges {
  /** What is wrong with numbers and ranges of numbers. */
  interface NumberRangeSentences {
    record TooMany(long most) implements Sentence {}

    record NoRange(String text) implements Sentence {}

    record EndsBefore(String text) implements Sentence {}
  }

  private static final Pattern RANGE = Pattern.compile("\\d{1,18}(-\\d{1,18})?");

  private NumberRanges() {}

  /**
   * Reads numbers, in the order and as often as they are given.
   *
   * @param parts each a number or a range
   * @param most how many numbers there may be
   * @throws InvalidValue if a part is neither, or ends before it begins, or if there are too many
   *     numbers
   */
  public static List<Long> parse(List<String> parts, int most) {
    List<Long> numbers =
        parts.stream().flatMapToLong(NumberRanges::numbers).limit(most + 1L).boxed().toList();
    if (numbers.size() > most) {
      throw new InvalidValue(new NumberRangeSentences.TooMany(most));
    }
    return numbers;
  }

  private static LongStream numbers(String part) {
    if (!RANGE.matcher(part).matches()) {
      throw new InvalidValue(new NumberRangeSentences.NoRange(part));
    }
    String[] bounds = part.split("-");
    long first = Long.parseLong(bounds[0]);
    long last = Long.parseLong(bounds[bounds.length - 1]);
    if (last < first) {
      throw new InvalidValue(new NumberRangeSentences.EndsBefore(part));
    }
    return LongStream.rangeClosed(first, last);
  }

  /** Writes ascending numbers, each once. */
  public static String format(List<Long> numbers) {
    var parts = new ArrayList<String>();
    int from = 0;
    for (int to = 1; to <= numbers.size(); to++) {
      if (to == numbers.size() || numbers.get(to) != numbers.get(to - 1) + 1) {
        long first = numbers.get(from);
        long last = numbers.get(to - 1);
        parts.add(first == last ? "" + first : first + "-" + last);
        from = to;
      }
    }
    return String.join(",", parts);
  }
}

package palmares.live.journal;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/**
 * Events that a live board has decided, and that are neither in PostgreSQL nor in the journal in
 * Redis.
 *
 * @param numbers their numbers, ascending; empty if Redis has used them again
 * @param count how many they are
 * @param first the id of one of them; null if the live board does not have it
 */
public record MissingEvents(List<Numbers> numbers, long count, @Nullable String first) {
  private static final String COUNT = "count";
  private static final String FIRST = "first";

  public static final MissingEvents NONE = new MissingEvents(List.of(), 0, null);

  public MissingEvents {
    numbers = List.copyOf(numbers);
  }

  /** Consecutive numbers, both ends included. */
  public record Numbers(long from, long to) {
    long count() {
      return to - from + 1;
    }
  }

  /**
   * Returns the missing events with these numbers and ids.
   *
   * @param unnamed the number of ids that may belong to entries that cannot be decoded
   */
  public static MissingEvents of(List<Numbers> numbers, List<String> ids, long unnamed) {
    long byNumber = numbers.stream().mapToLong(Numbers::count).sum();
    long byId = Math.max(0, ids.size() - unnamed);
    String first = byId == 0 ? null : ids.get(0);
    return new MissingEvents(numbers, Math.max(byNumber, byId), first);
  }

  /** Returns what {@link #facts} gave. */
  public static MissingEvents of(Map<String, String> facts) {
    List<Numbers> numbers =
        facts.entrySet().stream()
            .filter(fact -> Character.isDigit(fact.getKey().charAt(0)))
            .map(
                fact -> new Numbers(Long.parseLong(fact.getValue()), Long.parseLong(fact.getKey())))
            .sorted(Comparator.comparingLong(Numbers::from))
            .toList();
    return new MissingEvents(
        numbers, Long.parseLong(facts.getOrDefault(COUNT, "0")), facts.get(FIRST));
  }

  /** Returns it as fields of a hash: each last number with the first, the count, and the id. */
  public Map<String, String> facts() {
    var facts = new HashMap<String, String>();
    numbers.forEach(some -> facts.put(Long.toString(some.to()), Long.toString(some.from())));
    facts.put(COUNT, Long.toString(count));
    if (first != null) {
      facts.put(FIRST, first);
    }
    return facts;
  }

  /**
   * Returns those after a number. The count of what has no numbers is not known then, so that all
   * of it stays.
   */
  public MissingEvents after(long seq) {
    if (numbers.isEmpty()) {
      return this;
    }
    List<Numbers> later =
        numbers.stream()
            .filter(some -> some.to() > seq)
            .map(some -> new Numbers(Math.max(some.from(), seq + 1), some.to()))
            .toList();
    return later.equals(numbers) ? this : of(later, List.of(), 0);
  }

  public boolean isNone() {
    return count == 0;
  }

  /** Names them, as in {@code events 91–100}. */
  public Sentence said() {
    if (!numbers.isEmpty()) {
      return said(numbers);
    }
    return first == null
        ? new JournalSentences.Counted(count)
        : new JournalSentences.CountedFrom(count, first);
  }

  static Sentence said(List<Numbers> numbers) {
    return numbers.size() == 1 && numbers.get(0).count() == 1
        ? new JournalSentences.One(numbers.get(0).from())
        : new JournalSentences.Several(
            numbers.stream()
                .map(some -> some.count() == 1 ? "" + some.from() : some.from() + "–" + some.to())
                .toList());
  }

  /** Returns the numbers as PostgreSQL writes a multirange; null if they are not known. */
  public @Nullable String multirange() {
    return numbers.isEmpty()
        ? null
        : numbers.stream()
            .map(some -> "[" + some.from() + "," + (some.to() + 1) + ")")
            .collect(Collectors.joining(",", "{", "}"));
  }
}

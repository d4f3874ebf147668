package palmares.rules.payout;

import static palmares.rules.payout.RewardRule.CREDITS;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sums of money, one for each currency that has a sum other than 0.
 *
 * @param amounts by currency, in the order of their names
 */
public record Sums(SortedMap<String, Long> amounts) {
  public static final Sums NONE = new Sums(new TreeMap<>());

  public Sums {
    var kept = new TreeMap<>(amounts);
    kept.values().removeIf(amount -> amount == 0);
    amounts = Collections.unmodifiableSortedMap(kept);
  }

  public static Sums of(String currency, long amount) {
    return new Sums(new TreeMap<>(Map.of(currency, amount)));
  }

  /**
   * Adds other sums.
   *
   * @throws ArithmeticException if a sum exceeds a {@code long}
   */
  public Sums plus(Sums more) {
    var sums = new TreeMap<>(amounts);
    more.amounts.forEach((currency, amount) -> sums.merge(currency, amount, Math::addExact));
    return new Sums(sums);
  }

  public long of(String currency) {
    return amounts.getOrDefault(currency, 0L);
  }

  public long credits() {
    return of(CREDITS);
  }

  /** The sums other than credits, such as {@code 10 gems, 2 keys}; null if there are none. */
  public @Nullable String others() {
    return others(String::valueOf);
  }

  /** The same with numbers as they are written in a language. */
  public @Nullable String others(Function<Long, String> number) {
    String others =
        amounts.entrySet().stream()
            .filter(sum -> !sum.getKey().equals(CREDITS))
            .map(sum -> number.apply(sum.getValue()) + " " + sum.getKey())
            .collect(Collectors.joining(", "));
    return others.isEmpty() ? null : others;
  }
}

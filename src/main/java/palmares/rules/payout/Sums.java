package palmares.rules.payout;

import static palmares.rules.payout.RewardRule.CREDITS;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import palmares.platform.text.Money;

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

  /** The sums other than credits, in the order of their currencies. */
  public List<Money> others() {
    return amounts.entrySet().stream()
        .filter(sum -> !sum.getKey().equals(CREDITS))
        .map(sum -> Money.of(sum.getKey(), sum.getValue()))
        .toList();
  }
}

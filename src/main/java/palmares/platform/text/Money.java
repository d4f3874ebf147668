package palmares.platform.text;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An amount in a currency.
 *
 * @param currency such as {@code credits}
 * @param amount a whole number
 */
public record Money(String currency, BigDecimal amount) {
  public static Money of(String currency, long amount) {
    return new Money(currency, BigDecimal.valueOf(amount));
  }

  /** The amount and then the currency, for a cell of a table or of CSV. */
  @Override
  public String toString() {
    return amount.toPlainString() + " " + currency;
  }

  /** Amounts in several currencies, with numbers as they are written somewhere. */
  public static String list(Collection<Money> all, Function<BigDecimal, String> number) {
    return all.stream()
        .map(money -> number.apply(money.amount()) + " " + money.currency())
        .collect(Collectors.joining(", "));
  }
}

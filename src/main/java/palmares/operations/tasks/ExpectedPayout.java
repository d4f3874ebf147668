package palmares.operations.tasks;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;
import palmares.settlement.closing.ClosingSentences.ByRule;
import palmares.settlement.closing.Preview.PayoutForecast;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revision;

/**
 * What a dry run would pay.
 *
 * @param sums by currency; none if it pays nothing
 * @param owes what amendments find that members were overpaid, by currency; null if nothing
 * @param estimate whether the period is still open, so that exclusions and corrections may change
 *     the sums before they are computed; its ETag does not cover them
 * @param held whether a person must approve it, or decide on ties, before anything is paid; false
 *     of a batch, each of whose outcomes may still be held for another person
 * @param reasons why a person must approve it, or had to
 * @param digest of what a person decides on, which an approval names; null if there is none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExpectedPayout(
    Map<String, BigDecimal> sums,
    @Nullable Map<String, BigDecimal> owes,
    boolean estimate,
    boolean held,
    List<Sentence> reasons,
    @Nullable String digest) {
  public ExpectedPayout {
    reasons = List.copyOf(reasons);
  }

  public static ExpectedPayout of(PayoutForecast forecast) {
    return new ExpectedPayout(
        byCurrency(forecast.rules(), ByRule::currency, ByRule::amount),
        null,
        forecast.estimate(),
        !forecast.reasons().isEmpty() || !forecast.ties().isEmpty(),
        List.copyOf(forecast.reasons()),
        null);
  }

  /**
   * What the approval of computed outcomes would post.
   *
   * @param held whether another person must approve it, too
   */
  public static ExpectedPayout of(
      List<Sum> moved, boolean held, Collection<? extends Sentence> reasons, String digest) {
    Map<String, BigDecimal> owes = byCurrency(moved, Sum::currency, Sum::owes);
    return new ExpectedPayout(
        byCurrency(moved, Sum::currency, Sum::gets),
        owes.isEmpty() ? null : owes,
        false,
        held,
        List.copyOf(reasons),
        digest);
  }

  private static <T> Map<String, BigDecimal> byCurrency(
      List<T> parts, Function<T, String> currency, Function<T, BigDecimal> amount) {
    var sums = new LinkedHashMap<String, BigDecimal>();
    for (T part : parts) {
      sums.merge(currency.apply(part), amount.apply(part), BigDecimal::add);
    }
    sums.values().removeIf(sum -> sum.signum() == 0);
    return sums;
  }

  /** The same of an outcome that awaited a decision. */
  public ExpectedPayout decided(Revision before) {
    return new ExpectedPayout(
        sums, owes, estimate, held, List.copyOf(before.heldFor()), before.digest());
  }
}

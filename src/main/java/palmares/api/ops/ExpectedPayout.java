package palmares.api.ops;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import palmares.settlement.closing.Preview.PayoutForecast;
import palmares.settlement.closing.Preview.PayoutForecast.ByRule;

/**
 * What a dry run would pay.
 *
 * @param sums by currency; none if it pays nothing
 * @param estimate whether the period is still open, so that exclusions and corrections may change
 *     the sums before they are computed; its ETag does not cover them
 * @param held whether a person must approve it, or decide on ties, before anything is paid
 */
public record ExpectedPayout(Map<String, BigDecimal> sums, boolean estimate, boolean held) {
  static ExpectedPayout of(PayoutForecast forecast) {
    var sums = new LinkedHashMap<String, BigDecimal>();
    for (ByRule rule : forecast.rules()) {
      sums.merge(rule.currency(), rule.amount(), BigDecimal::add);
    }
    return new ExpectedPayout(
        sums, forecast.estimate(), !forecast.reasons().isEmpty() || !forecast.ties().isEmpty());
  }
}

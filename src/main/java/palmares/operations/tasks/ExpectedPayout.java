package palmares.operations.tasks;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;
import palmares.settlement.closing.ClosingSentences.ByRule;
import palmares.settlement.closing.Preview.PayoutForecast;
import palmares.settlement.outcome.Revision;

/**
 * What a dry run would pay.
 *
 * @param sums by currency; none if it pays nothing
 * @param estimate whether the period is still open, so that exclusions and corrections may change
 *     the sums before they are computed; its ETag does not cover them
 * @param held whether a person must approve it, or decide on ties, before anything is paid
 * @param reasons why a person must approve it, or had to
 * @param digest of the outcome on which a person decides, which an approval names; null if there is
 *     none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExpectedPayout(
    Map<String, BigDecimal> sums,
    boolean estimate,
    boolean held,
    List<Sentence> reasons,
    @Nullable String digest) {
  public ExpectedPayout {
    reasons = List.copyOf(reasons);
  }

  public static ExpectedPayout of(PayoutForecast forecast) {
    var sums = new LinkedHashMap<String, BigDecimal>();
    for (ByRule rule : forecast.rules()) {
      sums.merge(rule.currency(), rule.amount(), BigDecimal::add);
    }
    return new ExpectedPayout(
        sums,
        forecast.estimate(),
        !forecast.reasons().isEmpty() || !forecast.ties().isEmpty(),
        List.copyOf(forecast.reasons()),
        null);
  }

  /** The same of an outcome that awaited a decision. */
  public ExpectedPayout decided(Revision before) {
    return new ExpectedPayout(sums, estimate, held, List.copyOf(before.heldFor()), before.digest());
  }
}

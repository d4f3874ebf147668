package palmares.rules.boardfiles;

import java.math.BigDecimal;
import palmares.platform.form.Scalar;
import palmares.platform.text.Sentence;

/** Reads percentages in board files. */
final class Percent {
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private Percent() {}

  /** A percentage above 0 and at most 100, with at most four decimals. */
  static Scalar<BigDecimal> scalar(Sentence what) {
    return Scalar.text(
        new BoardFieldSentences.Percent(what),
        "(0|[1-9]\\d{0,2})(\\.\\d{1,4})?%",
        text -> {
          var percent = new BigDecimal(text.substring(0, text.length() - 1)).stripTrailingZeros();
          return percent.signum() > 0 && percent.compareTo(HUNDRED) <= 0 ? percent : null;
        });
  }
}

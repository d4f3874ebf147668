package palmares.rules.catalogue.payouts;

import java.math.BigDecimal;
import palmares.platform.form.Scalar;
import palmares.platform.form.Scalars;

/** Percentages as board files spell them. */
public final class Percent {
  private static final BigDecimal ALL = BigDecimal.valueOf(100);

  private Percent() {}

  /** Above 0 and at most 100, in steps of a ten-thousandth. */
  public static Scalar<BigDecimal> shape(String what) {
    return Scalars.text(
        what + " above 0% and up to 100%, with at most four decimals, such as 10% or 0.5%",
        "(0|[1-9]\\d{0,2})(\\.\\d{1,4})?%",
        text -> {
          var percent = new BigDecimal(text.substring(0, text.length() - 1)).stripTrailingZeros();
          return percent.signum() > 0 && percent.compareTo(ALL) <= 0 ? percent : null;
        });
  }
}

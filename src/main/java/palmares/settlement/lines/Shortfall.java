package palmares.settlement.lines;

import palmares.period.Period;
import palmares.period.Population;

/**
 * What a rebuild lacks of what was sealed of a live board.
 *
 * @param period as it stood before the rebuild
 * @param sealed what was counted at the seal
 * @param rebuilt what the journal makes
 */
public record Shortfall(Period period, Population sealed, Population rebuilt) {

  /** How much is missing. */
  public String sentence() {
    return "of %d events at the seal the journal has %d, of %d members %d, of %d points %d"
        .formatted(
            sealed.events(),
            rebuilt.events(),
            sealed.members(),
            rebuilt.members(),
            sealed.points(),
            rebuilt.points());
  }
}

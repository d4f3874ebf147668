package palmares.standing;

import java.util.List;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Population;

/**
 * What a rebuild lacks of what was sealed, or copied, of a live board.
 *
 * @param period as it stood before the rebuild
 * @param sealed what was counted at the seal
 * @param rebuilt what the journal makes
 * @param copied how many lines of the lost board had been copied
 * @param affected how many of them were better than what the journal makes of them
 * @param named the first of these, each with its points
 */
public record Shortfall(
    Period period,
    Population sealed,
    Population rebuilt,
    long copied,
    long affected,
    List<String> named) {

  /** How much is missing, and who is affected as far as that is known. */
  public String sentence() {
    return "of %d events at the seal the journal has %d, of %d members %d, of %d points %d; %s"
        .formatted(
            sealed.events(),
            rebuilt.events(),
            sealed.members(),
            rebuilt.members(),
            sealed.points(),
            rebuilt.points(),
            members());
  }

  private String members() {
    boolean complete = period.state() == PeriodState.SNAPSHOTTED;
    if (copied == 0) {
      return "which members are affected is not known: no line of the board had been copied";
    }
    String known =
        complete
            ? "the complete snapshot shows %d affected members".formatted(affected)
            : "of the %d members copied before the loss %d are affected"
                .formatted(copied, affected);
    return affected == 0
        ? known
        : "%s: %s%s"
            .formatted(
                known,
                String.join(", ", named),
                affected > named.size() ? " and %d more".formatted(affected - named.size()) : "");
  }
}

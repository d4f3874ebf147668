package palmares.amendment;

import java.util.List;
import palmares.period.Period;
import palmares.revision.Revision;
import palmares.reward.HeldTie;

/**
 * An amendment that is computed, and how it differs from what stands.
 *
 * @param ties those that a person must decide when approving it
 */
public record Amendment(
    Period period, Revision revision, Differences differences, List<HeldTie> ties) {
  public Amendment {
    ties = List.copyOf(ties);
  }
}

package palmares.settlement.closing;

import org.jspecify.annotations.Nullable;
import palmares.rules.payout.RewardRule.Ties;

/**
 * What a person says of a closing that waits.
 *
 * @param by the person's name
 * @param reason in the person's own words
 * @param ties how ties that the rules leave to a person are paid; null if there are none
 * @param expect the {@link palmares.settlement.outcome.Revision#digest} of what the person looked
 *     at; null if the person did not say
 */
public record ApprovalDecision(
    String by, String reason, @Nullable Ties ties, @Nullable String expect) {

  /** To whatever waits. */
  public ApprovalDecision(String by, String reason, @Nullable Ties ties) {
    this(by, reason, ties, null);
  }
}

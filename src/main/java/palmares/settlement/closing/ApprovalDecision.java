package palmares.settlement.closing;

import org.jspecify.annotations.Nullable;
import palmares.rules.payout.RewardRule.Ties;

/**
 * A person's decision on a held closing.
 *
 * @param by the person's name
 * @param reason the reason in the person's words
 * @param ties how ties that the rules leave to a person are paid; null if there are none
 * @param expect the {@link palmares.settlement.outcome.Revision#digest} of the outcome that the
 *     person has seen; null if the person gave none
 */
public record ApprovalDecision(
    String by, String reason, @Nullable Ties ties, @Nullable String expect) {

  /** A decision without an expected digest. */
  public ApprovalDecision(String by, String reason, @Nullable Ties ties) {
    this(by, reason, ties, null);
  }
}

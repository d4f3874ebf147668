package palmares.closing;

import org.jspecify.annotations.Nullable;
import palmares.payout.RewardRule.Ties;

/**
 * What a person says of a closing that waits.
 *
 * @param by the person's name
 * @param reason in the person's own words
 * @param ties how ties that the rules leave to a person are paid; null if there are none
 */
public record Answer(String by, String reason, @Nullable Ties ties) {}

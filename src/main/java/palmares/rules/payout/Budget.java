package palmares.rules.payout;

import org.jspecify.annotations.Nullable;

/**
 * The most that a board may pay in a currency without approval.
 *
 * @param period for one period; null for no limit, else at least 1
 * @param month for all periods that end in a calendar month of the board's zone; null for no limit,
 *     else at least 1
 */
public record Budget(@Nullable Long period, @Nullable Long month) {}

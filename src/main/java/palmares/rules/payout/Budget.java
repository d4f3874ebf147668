package palmares.rules.payout;

import org.jspecify.annotations.Nullable;

/**
 * The most that a board may pay in one currency without asking a person.
 *
 * @param period in one period; null for no such bound, else at least 1
 * @param month in all periods that end in one calendar month of the board's zone; null for no such
 *     bound, else at least 1
 */
public record Budget(@Nullable Long period, @Nullable Long month) {}

/**
 * The vocabulary of what a settled period pays: reward rules, budgets, who looks before it is paid,
 * and what becomes of what was paid too much. Pure values.
 */
@NullMarked
package palmares.rules.payout;

import org.jspecify.annotations.NullMarked;

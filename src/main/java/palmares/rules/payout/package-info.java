/**
 * Defines what a settled period pays: reward rules, budgets, approvals, and what happens to
 * overpayments. Contains values and pure functions only.
 */
@NullMarked
package palmares.rules.payout;

import org.jspecify.annotations.NullMarked;

/** What a board's file says of its payout: rules, budgets, who looks before anything is paid. */
@NullMarked
package palmares.rules.catalogue.payouts;

import org.jspecify.annotations.NullMarked;

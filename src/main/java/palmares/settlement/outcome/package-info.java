/**
 * Stores the outcomes of a period: the closing's and those that amend it, who prepared each, and
 * who decided on it.
 */
@NullMarked
package palmares.settlement.outcome;

import org.jspecify.annotations.NullMarked;

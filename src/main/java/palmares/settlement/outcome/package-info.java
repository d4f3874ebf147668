/**
 * The outcomes of a period: the first closing's and those that amend it, who prepared each, and who
 * decided on it.
 */
@NullMarked
package palmares.settlement.outcome;

import org.jspecify.annotations.NullMarked;

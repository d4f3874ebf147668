/**
 * Derives every line and every payment of settled periods from the journal, the exclusions and the
 * rules, and names each difference from what is stored. Derives nothing by code of the closing.
 */
@NullMarked
package palmares.settlement.verification;

import org.jspecify.annotations.NullMarked;

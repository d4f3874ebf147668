/**
 * Derives every line and payment of settled periods again from the journal, the exclusions and the
 * rules, and names each difference from what is stored. Uses no code of the closing. Each {@code
 * Check} is an SQL file.
 */
@NullMarked
package palmares.settlement.verification;

import org.jspecify.annotations.NullMarked;

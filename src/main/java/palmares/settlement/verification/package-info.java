/**
 * Derives every line and payment of settled periods again from the journal, the exclusions and the
 * rules, and names each difference from what is stored. Each {@code Check} is an SQL file. Derives
 * lines, ranks and payments without the packages {@code lines}, {@code reward} and {@code closing};
 * only the fields of manifests are read by the statement that wrote them.
 */
@NullMarked
package palmares.settlement.verification;

import org.jspecify.annotations.NullMarked;

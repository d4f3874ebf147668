/**
 * Who may not win: made and lifted by people, in force for every period that it overlaps, frozen
 * with each revision that is ranked.
 */
@NullMarked
package palmares.period.exclusion;

import org.jspecify.annotations.NullMarked;

/**
 * Exclusions of members from ranking or prizes. People make and lift them; each is in force for the
 * periods that it overlaps, and is frozen with every revision that is ranked.
 */
@NullMarked
package palmares.period.exclusion;

import org.jspecify.annotations.NullMarked;

/** Writes the manifest of each posted outcome, which says what it was computed from. */
@NullMarked
package palmares.settlement.manifest;

import org.jspecify.annotations.NullMarked;

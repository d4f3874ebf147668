/**
 * Verifies each night, once in the whole cluster, what was settled or amended lately, and keeps
 * what was found.
 */
@NullMarked
package palmares.settlement.nightly;

import org.jspecify.annotations.NullMarked;

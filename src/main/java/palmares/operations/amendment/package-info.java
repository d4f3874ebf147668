/**
 * Corrections of settled periods: a revision is computed beside the one that stands, looked at, and
 * on approval only what differs is posted. The same computation, taken back, answers what if.
 */
@NullMarked
package palmares.operations.amendment;

import org.jspecify.annotations.NullMarked;

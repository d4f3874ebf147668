/**
 * One member's story in one period, for whoever is asked why: what it did and what each event gave,
 * how it came to its rank in each revision, what it was paid by which rule, and what came too late.
 */
@NullMarked
package palmares.operations.explain;

import org.jspecify.annotations.NullMarked;

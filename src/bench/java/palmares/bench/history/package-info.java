/** Measures what a closing and the reads of one period take as the history of periods grows. */
@NullMarked
package palmares.bench.history;

import org.jspecify.annotations.NullMarked;

/** Measures how closings and reads of one period grow with the history. */
@NullMarked
package palmares.bench.history;

import org.jspecify.annotations.NullMarked;

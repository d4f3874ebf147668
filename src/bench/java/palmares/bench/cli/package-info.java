/** The benchmark's command line: one command for each measurement, and one for the page. */
@NullMarked
package palmares.bench.cli;

import org.jspecify.annotations.NullMarked;

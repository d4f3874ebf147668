/** A period's lines, live or settled: the same questions, the same answers. */
@NullMarked
package palmares.api.reader.lines;

import org.jspecify.annotations.NullMarked;
